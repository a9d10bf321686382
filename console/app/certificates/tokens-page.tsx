// Request tokens: each is valid for one certificate, for whoever gets its link first.

import { useQueryClient } from '@tanstack/react-query';
import type { TokenObject } from '../../../src/wire/certificate.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Confirm } from '../parts/confirm.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { SecretStart } from '../parts/secret-start.tsx';
import { Moment } from '../parts/time-text.tsx';
import { useTell } from '../parts/toast.tsx';
import { useList } from '../parts/use-list.ts';
import { Actor } from '../parts/actor.tsx';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';

export function TokensPage() {
  const may = useMay();
  const [value, setValue] = useQueryValue('state');
  const state = STATES.find((each) => each === value);
  const [one, showOne] = useQueryValue('token');
  const list = useList(
    ['certificate-tokens', one === '' ? state : { one }],
    one === ''
      ? (cursor) => client.certificates.listTokens({ state, cursor, limit: PAGE })
      : async () => ({ items: [await client.certificates.showToken(one)], nextCursor: null }),
    LIVE_MS,
  );
  return (
    <>
      <PageHead
        title="Request tokens"
        about="Each token is valid for one certificate, until it is redeemed or expires."
      >
        {may('certificates.write') && (
          <>
            <Link className="button" href={hrefTo('certificates', 'tokens', 'list')}>
              From a list
            </Link>
            <Link className="button primary" href={hrefTo('certificates', 'tokens', 'new')}>
              New token
            </Link>
          </>
        )}
      </PageHead>
      <div className="toolbar">
        {one === '' ? (
          <select aria-label="State" value={state ?? ''} onChange={({ target }) => setValue(target.value)}>
            <option value="">Any state</option>
            <option value="open">Open</option>
            <option value="used">Redeemed</option>
            <option value="expired">Expired</option>
          </select>
        ) : (
          <button type="button" onClick={() => showOne('')}>
            Show all tokens
          </button>
        )}
      </div>
      <ListView
        list={list}
        label="Request tokens"
        id={({ id }) => id}
        columns={may('certificates.write') ? [...COLUMNS, CHANGE] : COLUMNS}
        empty={
          <Empty icon="certificates" title={state === undefined ? 'No tokens' : 'No matching tokens'}>
            <p>
              A token is a link that is valid for one certificate. You say whom it is for; whoever opens the
              link makes the key, and nobody else ever has it.
            </p>
            {may('certificates.write') && (
              <p>
                <Link className="button" href={hrefTo('certificates', 'tokens', 'new')}>
                  Create a token
                </Link>
              </p>
            )}
          </Empty>
        }
      />
    </>
  );
}

const COLUMNS: readonly Column<TokenObject>[] = [
  {
    title: 'For',
    cell: ({ commonName, name }) => (
      <>
        {commonName}
        {name !== commonName && <span className="under">{name}</span>}
      </>
    ),
  },
  { title: 'Person', kind: 'address', cell: ({ emailAddress }) => emailAddress ?? '' },
  { title: 'Starts with', cell: SecretStart },
  { title: 'State', cell: (token) => <TokenState token={token} /> },
  { title: 'Valid until', cell: ({ expiresAt }) => <Moment at={expiresAt} /> },
  { title: 'Created by', cell: ({ createdBy }) => <Actor name={createdBy} /> },
];

const CHANGE: Column<TokenObject> = {
  title: 'Change',
  kind: 'actions',
  cell: (token) => token.usedAt === null && <DeleteToken token={token} />,
};

function TokenState({ token: { usedAt, certificateId, expiresAt } }: { readonly token: TokenObject }) {
  if (usedAt !== null)
    return (
      <>
        <Badge good>redeemed</Badge>
        {certificateId !== null && (
          <Link className="under" href={hrefTo('certificates', certificateId)}>
            its certificate
          </Link>
        )}
      </>
    );
  const isOpen = Date.parse(expiresAt) > Date.now();
  return <Badge tone={isOpen ? 'warn' : 'neutral'}>{isOpen ? 'open' : 'expired'}</Badge>;
}

function DeleteToken({ token: { id, commonName } }: { readonly token: TokenObject }) {
  const queries = useQueryClient();
  const tell = useTell();
  return (
    <Confirm
      label="Delete"
      about={`Delete the token for ${commonName}`}
      quiet
      title={`Delete the token for ${commonName}?`}
      action="Delete it"
      run={async () => {
        await client.certificates.removeToken(id);
        tell('The token was deleted', commonName);
        await queries.invalidateQueries({ queryKey: ['certificate-tokens'] });
      }}
    >
      <p>Its link stops working. Issued certificates do not change.</p>
    </Confirm>
  );
}

const STATES = ['open', 'used', 'expired'] as const;
const PAGE = 100;
/** Whoever waits for somebody to redeem one sees it happen. */
const LIVE_MS = 5_000;
