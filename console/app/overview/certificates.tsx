// Certificates that expire soon, and whose they are.

import { useQuery } from '@tanstack/react-query';
import type { OverviewObject } from '../../../src/wire/overview.ts';
import { client } from '../api/client.ts';
import { Panel } from '../parts/panel.tsx';
import { pageWithItems } from '../parts/use-list.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Moment } from '../parts/time-text.tsx';
import { hrefTo, Link } from '../router.tsx';
import { countOf } from '../parts/numbers.ts';

type CertificatesProps = { readonly certificates: OverviewObject['certificates'] };

export function Certificates({ certificates: { active, expiringSoon, soonDays } }: CertificatesProps) {
  const within = `${soonDays}d`;
  const listHref = `${hrefTo('certificates')}?expiring=${within}`;
  return (
    <div className="overview-certificates">
      <Panel title="Expiring certificates" actions={expiringSoon > 0 && <Link href={listHref}>List</Link>}>
        {expiringSoon === 0 ? (
          <p className={active === 0 ? 'soft' : 'overview-good'}>
            {active === 0
              ? 'No active certificates.'
              : `All of them are valid for more than ${countOf(soonDays, 'day')}.`}
          </p>
        ) : (
          <Expiring within={within} />
        )}
      </Panel>
    </div>
  );
}

function Expiring({ within }: { readonly within: string }) {
  const list = useQuery({
    queryKey: ['certificates', 'overview', within],
    queryFn: () =>
      pageWithItems((cursor) =>
        client.certificates.list({ expiresWithin: within, cursor, limit: MOST_READ }),
      ),
    refetchInterval: LIVE_MS,
  });
  if (list.isError) return <ProblemNote error={list.error} retry={list.refetch} />;
  if (list.data === undefined)
    return (
      <p className="soft" aria-busy="true">
        Loading…
      </p>
    );
  const first = list.data.items.toSorted((a, b) => (a.notAfter < b.notAfter ? -1 : 1)).slice(0, MOST_SHOWN);
  return (
    <ul className="overview-rows">
      {first.map(({ id, name, commonName, emailAddress, notAfter }) => (
        <li key={id}>
          <Link href={`${hrefTo('certificates')}?q=${encodeURIComponent(commonName)}`}>{commonName}</Link>
          <span className="soft">
            {emailAddress ?? name}, <Moment at={notAfter} />
          </span>
        </li>
      ))}
    </ul>
  );
}

const MOST_SHOWN = 5;
/** They come by id, and the first to be over may be any of them. */
const MOST_READ = 100;
const LIVE_MS = 30_000;
