// Requests over time: what the parts of the picture are and how many, the picture itself, and the same as a
// table for who does not see it.

import type { OverviewObject } from '../../../src/wire/overview.ts';
import { Legend } from '../parts/chart/legend.tsx';
import { Plot } from '../parts/chart/plot.tsx';
import { requestsPicture } from '../parts/chart/requests-picture.ts';
import { partsOf, type Step, sumOf, summaryRows } from '../parts/chart/steps.ts';
import { countOf } from '../parts/numbers.ts';
import { Panel } from '../parts/panel.tsx';
import { type Range, RANGES } from '../parts/ranges.ts';

type RequestsProps = { readonly requests: OverviewObject['requests']; readonly range: Range };

export function Requests({ requests, range }: RequestsProps) {
  const { steps } = requests;
  const sum = sumOf(steps);
  const { served } = partsOf(sum);
  const span = { stepMs: requests.stepSeconds * 1_000, hours: Number(range) };
  return (
    <div className="overview-requests" id="requests">
      <Panel
        title="Requests"
        actions={
          <Legend
            parts={[
              { name: 'served', label: 'served', count: served },
              // No list has as many of these two: the audit log notes people, and not each of their requests,
              // and shares that answer by now are down no more.
              { name: 'refused', label: 'refused', count: sum.refused },
              { name: 'faulted', label: 'unanswered', count: sum.faulted },
            ]}
          />
        }
      >
        <Plot
          picture={requestsPicture(steps, span)}
          empty={sum.requests === 0 ? `No request in the last ${RANGES[range].long}` : null}
        />
        <AsTable steps={steps} range={range} />
      </Panel>
    </div>
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
