// Shares that nobody reaches now, and why.

import type { DownShareObject, OverviewObject } from '../../../src/wire/overview.ts';
import { Panel } from '../parts/panel.tsx';
import { Moment } from '../parts/time-text.tsx';
import { hrefTo, Link } from '../router.tsx';
import { countOf } from '../parts/numbers.ts';

export function Down({ shares }: { readonly shares: OverviewObject['shares'] }) {
  const count = shares.failing + shares.waiting;
  const shown = shares.down.slice(0, MOST_SHOWN);
  return (
    <Panel
      title="Shares that are down"
      actions={count > 0 && <Link href={`${hrefTo('shares')}?state=down`}>List</Link>}
    >
      <p className="unseen" role="status">
        {count > 0 && `${countOf(count, 'share is', 'shares are')} down`}
      </p>
      {count === 0 ? (
        <p className="overview-good">All enabled shares are reachable.</p>
      ) : (
        <ul className="overview-rows">
          {shown.map((share) => (
            <li key={share.name}>
              <Link href={hrefTo('shares', share.name)}>{share.name}</Link>
              <span className="soft">
                <Why share={share} />
              </span>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function Why({ share: { why, at } }: { readonly share: DownShareObject }) {
  if (why === 'failing')
    return (
      <>
        target not answering, last tried <Moment at={at} />
      </>
    );
  if (at === null) return 'no agent: none has served it yet';
  return (
    <>
      no agent, last seen <Moment at={at} />
    </>
  );
}

const MOST_SHOWN = 6;
