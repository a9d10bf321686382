// All shares of the account: found by name, each with where it leads and who may come in.

import type { ShareObject } from '../../../src/client/share-object.ts';
import { client } from '../api/client.ts';
import { Badge } from '../parts/badge.tsx';
import { Empty } from '../parts/empty.tsx';
import { type Column, ListView } from '../parts/list-view.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { useList } from '../parts/use-list.ts';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import { admissionText, targetText } from './share-words.ts';

export function SharesPage() {
  const [wanted, want] = useQueryValue('q');
  const list = useList(['shares'], (cursor) => client.shares.list({ cursor, limit: PAGE }));
  return (
    <>
      <PageHead title="Shares">
        <input
          type="search"
          aria-label="Find shares by name, target or provider"
          placeholder="Find"
          value={wanted}
          onChange={(event) => want(event.target.value)}
        />
        <Link className="button primary" href={hrefTo('shares', '+new')}>
          New share
        </Link>
      </PageHead>
      <ListView
        list={list}
        label="Shares"
        id={({ id }) => id}
        columns={COLUMNS}
        shown={list.items.filter((share) => matches(share, wanted))}
        empty={<NoShares />}
      />
    </>
  );
}

const COLUMNS: readonly Column<ShareObject>[] = [
  { title: 'Name', cell: ({ name }) => <Link href={hrefTo('shares', name)}>{name}</Link> },
  { title: 'Reaches', cell: targetText },
  { title: 'Who gets in', cell: admissionText },
  { title: 'State', cell: ({ enabled }) => <Badge good={enabled}>{enabled ? 'on' : 'off'}</Badge> },
];

function NoShares() {
  return (
    <Empty title="Nothing is shared yet">
      <p>
        A share gives something you run a public address, with a login before it. The gateway reaches a target
        itself:
      </p>
      <p>
        <Link className="button primary" href={hrefTo('shares', '+new')}>
          Make a share
        </Link>
      </p>
      <p>What runs elsewhere, behind NAT or on a laptop, is shared from there, with one command:</p>
      <p>
        <code>doorward share public 3000</code>
      </p>
    </Empty>
  );
}

function matches({ name, target, oauthProvider }: ShareObject, wanted: string): boolean {
  const text = wanted.trim().toLowerCase();
  return [name, target ?? '', oauthProvider ?? ''].some((each) => each.toLowerCase().includes(text));
}

/** As many as the API gives at once. */
const PAGE = 200;
