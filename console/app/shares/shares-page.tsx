// All shares of the account: found by name, each with where it leads and who may come in.

import { useInfiniteQuery } from '@tanstack/react-query';
import type { ShareObject } from '../../../src/client/share-object.ts';
import { client } from '../api/client.ts';
import { Empty } from '../parts/empty.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { hrefTo, Link, useQueryValue } from '../router.tsx';
import { loginText } from './share-text.ts';

export function SharesPage() {
  const [wanted, want] = useQueryValue('q');
  const shares = useInfiniteQuery({
    queryKey: ['shares'],
    queryFn: ({ pageParam }) => client.shares.list({ cursor: pageParam, limit: PAGE }),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.nextCursor,
  });
  const all = shares.data?.pages.flatMap(({ items }) => items) ?? [];
  const shown = all.filter((share) => matches(share, wanted));
  return (
    <>
      <div className="head">
        <h1>Shares</h1>
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
      </div>
      {shares.isError && <ProblemNote error={shares.error} retry={shares.refetch} />}
      {shares.isSuccess && all.length === 0 && <NoShares />}
      {shown.length > 0 && <ShareTable shares={shown} />}
      {all.length > 0 && shown.length === 0 && <p className="soft">No share matches “{wanted}”.</p>}
      {shares.hasNextPage && (
        <button
          type="button"
          className="button"
          disabled={shares.isFetchingNextPage}
          onClick={() => void shares.fetchNextPage()}
        >
          More
        </button>
      )}
    </>
  );
}

function ShareTable({ shares }: { readonly shares: readonly ShareObject[] }) {
  return (
    <table>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Reaches</th>
          <th scope="col">Who gets in</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {shares.map((share) => (
          <tr key={share.id}>
            <th scope="row">
              <Link href={hrefTo('shares', share.name)}>{share.name}</Link>
            </th>
            <td data-title="Reaches">{share.target ?? 'agents, through a tunnel'}</td>
            <td data-title="Who gets in">{loginText(share)}</td>
            <td data-title="State">
              <span className="badge" data-good={share.enabled}>
                {share.enabled ? 'on' : 'off'}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

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

const PAGE = 200;
