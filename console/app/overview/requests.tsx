// Requests over time: what the parts of the picture are and how many, the picture itself, which is loaded
// when it is first shown, and the same as a table for who does not see it.

import { lazy, Suspense } from 'react';
import type { OverviewObject } from '../../../src/wire/overview.ts';
import { Panel } from '../parts/panel.tsx';
import { hrefTo, Link } from '../router.tsx';
import { countOf, countText } from './numbers.ts';
import { partsOf, type Step, sumOf, summaryRows } from './requests-sums.ts';
import { type Range, RANGES } from './ranges.ts';

const Chart = lazy(() => import('./requests-chart.tsx'));

type RequestsProps = { readonly requests: OverviewObject['requests']; readonly range: Range };

export function Requests({ requests, range }: RequestsProps) {
  const { steps } = requests;
  const sum = sumOf(steps);
  const { served } = partsOf(sum);
  return (
    <div className="overview-requests" id="requests">
      <Panel
        title="Requests"
        actions={
          <ul className="overview-legend">
            <Part name="served" label="served" count={served} />
            <Part
              name="refused"
              label="refused"
              count={sum.refused}
              href={`${hrefTo('audit')}?kind=login.refused`}
            />
            <Part
              name="faulted"
              label="unanswered"
              count={sum.faulted}
              href={`${hrefTo('shares')}?state=failing`}
            />
          </ul>
        }
      >
        <div className="overview-plot" aria-hidden="true">
          <Suspense fallback={<div aria-busy="true" />}>
            <Chart steps={steps} hours={Number(range)} stepMs={requests.stepSeconds * 1_000} />
          </Suspense>
          {sum.requests === 0 && <p>No request in the last {RANGES[range].long}</p>}
        </div>
        <AsTable steps={steps} range={range} />
      </Panel>
    </div>
  );
}

type PartProps = {
  readonly name: 'served' | 'refused' | 'faulted';
  readonly label: string;
  readonly count: number;
  readonly href?: string;
};

function Part({ name, label, count, href }: PartProps) {
  return (
    <li data-part={name}>
      <b>{countText(count)}</b> {href === undefined || count === 0 ? label : <Link href={href}>{label}</Link>}
    </li>
  );
}

function AsTable({ steps, range }: { readonly steps: readonly Step[]; readonly range: Range }) {
  return (
    <div className="unseen">
      <table>
        <caption>
          Requests in the last {RANGES[range].long}: {countOf(sumOf(steps).requests, 'request')}
        </caption>
        <thead>
          <tr>
            <th scope="col">From</th>
            <th scope="col">Requests</th>
            <th scope="col">Refused</th>
            <th scope="col">Unanswered</th>
          </tr>
        </thead>
        <tbody>
          {summaryRows(steps, Number(range)).map(({ at, from, sum }) => (
            <tr key={at}>
              <th scope="row">{from}</th>
              <td>{sum.requests}</td>
              <td>{sum.refused}</td>
              <td>{sum.faulted}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
