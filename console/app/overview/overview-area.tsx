// Below /console, and first: how the account does, live. Each figure leads to the list behind it.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { OverviewObject } from '../../../src/wire/overview.ts';
import { client } from '../api/client.ts';
import { AccessRequests } from '../parts/access-requests.tsx';
import { Loading } from '../parts/loading.tsx';
import { PageHead } from '../parts/page-head.tsx';
import { RangeChoice } from '../parts/range-choice.tsx';
import type { Range } from '../parts/ranges.ts';
import { ProblemNote } from '../parts/problem-note.tsx';
import { useRange } from '../parts/use-range.ts';
import { hrefTo, Link } from '../router.tsx';
import type { AreaProps } from '../parts/area-props.ts';
import { NothingHere } from '../parts/nothing-here.tsx';
import { useMay } from '../shell/session-context.ts';
import { Certificates } from './certificates.tsx';
import { Down } from './down.tsx';
import { FirstSteps, isBegun } from './first-steps.tsx';
import { Logins } from './logins.tsx';
import { Recent } from './recent.tsx';
import { Requests } from './requests.tsx';
import { Tiles } from './tiles.tsx';
import './overview.css';

export function OverviewArea({ path }: AreaProps) {
  return path.length === 0 ? <OverviewPage /> : <NothingHere />;
}

function OverviewPage() {
  const may = useMay();
  const [range, choose] = useRange();
  const overview = useQuery({
    queryKey: ['overview', range],
    queryFn: () => client.overview(Number(range)),
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <PageHead title="Overview">
        <RangeChoice legend="Requests and logins of the last" range={range} choose={choose} />
        {may('shares.write') && (
          <Link className="button primary" href={hrefTo('shares', '+new')}>
            New share
          </Link>
        )}
      </PageHead>
      {overview.isError && <ProblemNote error={overview.error} retry={overview.refetch} />}
      {overview.isPending && <Loading what="the figures" />}
      {overview.data !== undefined && <Everything overview={overview.data} range={range} />}
    </>
  );
}

function Everything({ overview, range }: { readonly overview: OverviewObject; readonly range: Range }) {
  const may = useMay();
  const isSharing = overview.shares.total > 0;
  return (
    <div className="overview">
      {!isBegun(overview) && <FirstSteps overview={overview} />}
      {may('shares.read') && <AccessRequests share={null} mayDecide={may('shares.write')} />}
      <Tiles overview={overview} range={range} />
      {isSharing && (
        <>
          <Requests requests={overview.requests} range={range} />
          <div className="overview-side">
            <Logins logins={overview.logins} range={range} />
            <Down shares={overview.shares} />
          </div>
        </>
      )}
      {may('audit.read') && <Recent />}
      {isSharing && may('certificates.read') && <Certificates certificates={overview.certificates} />}
    </div>
  );
}

/**
 * Somebody who looks on sees a request within seconds. TanStack Query asks nothing while the page is hidden.
 */
const LIVE_MS = 3_000;
