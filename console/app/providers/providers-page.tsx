// What people can log in with here: the account's own definitions, and what the service's configuration has
// for everybody.

import { kindOfDefinition } from '../../../src/domain/provider-kinds.ts';
import { providerState, type ProviderState } from '../../../src/domain/provider-finding.ts';
import type { ProviderStanding, ProviderType } from '../../../src/wire/provider.ts';
import { client } from '../api/client.ts';
import { AppIcon } from '../parts/app-icon.tsx';
import { Badge, type Tone } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import './providers.css';

export function ProvidersPage() {
  const may = useMay();
  const list = useList(['providers', 'list'], readRows);
  return (
    <>
      <PageHead title="Providers" about="Identity providers that shares can use for logins.">
        {may('providers.write') && (
          <Link className="button primary" href={hrefTo('providers', '+new')}>
            New provider
          </Link>
        )}
      </PageHead>
      <ListView
        list={list}
        label="Providers"
        id={({ name, own }) => `${own} ${name}`}
        columns={COLUMNS}
        empty={<NoProviders />}
      />
    </>
  );
}

type Row = {
  readonly name: string;
  readonly type: ProviderType;
  readonly shares: number;
  /** False: of the service's configuration. */
  readonly own: boolean;
  readonly at: string;
  /** As people see it where they choose; null where that is its name. */
  readonly displayName: string | null;
  readonly icon: string | null;
} & ProviderStanding;

/** Those of the configuration after the account's own. */
async function readRows(cursor: string | null) {
  const { items, configured, nextCursor } = await client.providers.list({ cursor, limit: PAGE });
  const own = items.map(({ name, type, shares, config, lastLoginAt, lastTest, lastTrial }): Row => {
    const at = config.issuerUrl ?? config.baseUrl ?? '';
    const { displayName = null, icon = null } = config;
    return { name, type, shares, own: true, at, displayName, icon, lastLoginAt, lastTest, lastTrial };
  });
  const others = nextCursor === null ? configured : [];
  const ofOperator = others.map(
    ({ name, type, shares, displayName, icon, lastLoginAt, lastTest, lastTrial }): Row => {
      return { name, type, shares, own: false, at: '', displayName, icon, lastLoginAt, lastTest, lastTrial };
    },
  );
  return { items: [...own, ...ofOperator], nextCursor };
}

const COLUMNS: readonly Column<Row>[] = [
  {
    title: 'Name',
    cell: ({ name, displayName, icon }) => (
      <span className="with-icon">
        <AppIcon icon={icon} name={displayName ?? name} isSmall />
        <span>
          <Link href={hrefTo('providers', name)}>{name}</Link>
          {displayName !== null && displayName !== name && <span className="under">{displayName}</span>}
        </span>
      </span>
    ),
  },
  { title: 'State', cell: (row) => <State {...row} /> },
  { title: 'Kind', cell: ({ type }) => kindOfDefinition(type).title },
  { title: 'At', cell: ({ at }) => at.replace(/^https:\/\//, '') },
  { title: 'Defined by', cell: ({ own }) => (own ? 'this account' : 'the operator') },
  { title: 'Used by', cell: ({ name, shares }) => <SharesLink name={name} shares={shares} /> },
  {
    title: 'Last login',
    cell: ({ lastLoginAt }) => (lastLoginAt === null ? 'none lately' : <Moment at={lastLoginAt} />),
  },
];

function State({ lastTest, lastTrial }: ProviderStanding) {
  const { state, text } = providerState(lastTest, lastTrial);
  return <Badge tone={TONES[state]}>{text}</Badge>;
}

const TONES: Readonly<Record<ProviderState, Tone>> = {
  works: 'good',
  passed: 'good',
  failed: 'bad',
  'trial failed': 'bad',
  changed: 'warn',
  untested: 'neutral',
};

function SharesLink({ name, shares }: Pick<Row, 'name' | 'shares'>) {
  if (shares === 0) return <span className="faint">no share</span>;
  return (
    <Link href={`${hrefTo('shares')}?${new URLSearchParams({ provider: name })}`}>
      {shares === 1 ? '1 share' : `${shares.toLocaleString('en')} shares`}
    </Link>
  );
}

function NoProviders() {
  return (
    <Empty title="No providers yet" icon="providers">
      <p>
        A share asks people to log in with an identity provider: Google, GitHub, or your own single sign-on.
        Define the first one; it takes two minutes.
      </p>
      <p>
        <Link className="button primary" href={hrefTo('providers', '+new')}>
          New provider
        </Link>
      </p>
    </Empty>
  );
}

const PAGE = 200;
