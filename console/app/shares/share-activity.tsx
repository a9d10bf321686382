// What a share got and how long its answers took, over time: two pictures, and the same as a table.

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ShareActivityObject, ShareActivityStepObject } from '../../../src/wire/share-activity.ts';
import type { ShareObject } from '../../../src/wire/share.ts';
import { client } from '../api/client.ts';
import { Legend } from '../parts/chart/legend.tsx';
import { longestOf, type Picture } from '../parts/chart/picture.ts';
import { Plot } from '../parts/chart/plot.tsx';
import { requestsPicture } from '../parts/chart/requests-picture.ts';
import { partsOf, sumOf, summaryRows } from '../parts/chart/steps.ts';
import { type Column, ListView } from '../parts/list-view.tsx';
import { Loading } from '../parts/loading.tsx';
import { countText } from '../parts/numbers.ts';
import { Panel } from '../parts/panel.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { RangeChoice } from '../parts/range-choice.tsx';
import { type Range, RANGES } from '../parts/ranges.ts';
import { wholeList } from '../parts/use-list.ts';
import { useRange } from '../parts/use-range.ts';
import { hrefTo } from '../router.tsx';
import { useMay } from '../shell/session-context.ts';
import { durationText } from './seen-requests.ts';
import './share-activity.css';

export function ShareActivity({ share: { name } }: { readonly share: ShareObject }) {
  const [range, choose] = useRange();
  const activity = useQuery({
    queryKey: ['shares', name, 'activity', range],
    queryFn: () => client.shares.activity(name, Number(range)),
    refetchInterval: LIVE_MS,
    placeholderData: keepPreviousData,
  });
  return (
    <Panel
      title="Activity"
      about={`Requests and response times of the last ${RANGES[range].long}.`}
      actions={<RangeChoice legend="Activity of the last" range={range} choose={choose} />}
    >
      {activity.isError && <ProblemNote error={activity.error} retry={activity.refetch} />}
      {activity.isPending && <Loading what="the activity" />}
      {activity.data !== undefined && <Pictures name={name} activity={activity.data} range={range} />}
    </Panel>
  );
}

type ActivityProps = { readonly activity: ShareActivityObject; readonly range: Range };

function Pictures({ name, activity, range }: ActivityProps & { readonly name: string }) {
  const mayReadAudit = useMay()('audit.read');
  const { steps, stepSeconds } = activity;
  const span = { stepMs: stepSeconds * 1_000, hours: Number(range) };
  const { served, refused, faulted } = partsOf(sumOf(steps));
  const isMeasured = steps.some(({ p50Ms }) => p50Ms !== null);
  const refusals = `${hrefTo('audit')}?${new URLSearchParams({ share: name, result: 'refused' })}`;
  return (
    <>
      <div className="share-pictures">
        <div>
          <h3>Requests</h3>
          <Legend
            parts={[
              { name: 'served', label: 'served', count: served },
              {
                name: 'refused',
                label: 'refused',
                count: refused,
                ...(mayReadAudit ? { href: refusals } : {}),
              },
              { name: 'faulted', label: 'unanswered', count: faulted },
            ]}
          />
          <Plot
            picture={requestsPicture(steps, span)}
            empty={served + refused + faulted === 0 ? `No requests in the last ${RANGES[range].long}` : null}
          />
        </div>
        <div>
          <h3>Response time</h3>
          <Legend
            parts={[
              { name: 'half', label: 'half of the responses (p50)', count: null },
              { name: 'most', label: '95% of the responses (p95)', count: null },
            ]}
          />
          <Plot
            picture={durationsPicture(steps, span)}
            empty={isMeasured ? null : `No responses in the last ${RANGES[range].long}`}
          />
        </div>
      </div>
      <details className="share-figures">
        <summary>Show as a table</summary>
        <AsTable steps={steps} range={range} />
      </details>
    </>
  );
}

function durationsPicture(
  steps: readonly ShareActivityStepObject[],
  span: Pick<Picture, 'stepMs' | 'hours'>,
): Picture {
  return {
    ...span,
    kind: 'lines',
    times: steps.map(({ at }) => Date.parse(at)),
    parts: [
      { name: 'half', label: 'half within', values: steps.map(({ p50Ms }) => p50Ms) },
      { name: 'most', label: '95% within', values: steps.map(({ p95Ms }) => p95Ms) },
    ],
    text: roundedText,
  };
}

function AsTable({ steps, range }: { readonly steps: ShareActivityObject['steps']; readonly range: Range }) {
  const items = summaryRows(steps, Number(range));
  return (
    <ListView
      list={wholeList(items)}
      label={`Activity in the last ${RANGES[range].long}`}
      id={({ at }) => at}
      columns={COLUMNS}
      empty={null}
    />
  );
}

type Row = ReturnType<typeof summaryRows<ShareActivityStepObject>>[number];

const COLUMNS: readonly Column<Row>[] = [
  { title: 'From', cell: ({ from }) => from },
  { title: 'Requests', kind: 'number', cell: ({ sum }) => countText(sum.requests) },
  { title: 'Refused', kind: 'number', cell: ({ sum }) => countText(sum.refused) },
  { title: 'Unanswered', kind: 'number', cell: ({ sum }) => countText(sum.faulted) },
  { title: 'Half within', kind: 'number', cell: ({ steps }) => longestText(steps.map(({ p50Ms }) => p50Ms)) },
  { title: '95% within', kind: 'number', cell: ({ steps }) => longestText(steps.map(({ p95Ms }) => p95Ms)) },
];

/** What is true of each step with the longest of them is true of all of them together. */
function longestText(durations: readonly (number | null)[]): string {
  const longest = longestOf(durations);
  return longest === null ? '–' : roundedText(longest);
}

/** They are known to within a factor of two: no digit is told that nobody measured. */
function roundedText(ms: number): string {
  return durationText(ms < 10 ? Math.round(ms * 10) / 10 : Math.round(ms));
}

const LIVE_MS = 10_000;
