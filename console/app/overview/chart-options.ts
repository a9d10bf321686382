// How the picture of requests is drawn: bars one above the other, few lines, numbers that are whole.

import uPlot from 'uplot';
import type { Colours } from './chart-theme.ts';
import { countText, dayText, timeText } from './numbers.ts';
import type { Step } from './requests-sums.ts';

export type ChartInput = {
  readonly hours: number;
  readonly stepMs: number;
  readonly colours: Colours;
  /** The page's. */
  readonly font: string;
  readonly size: { readonly width: number; readonly height: number };
};

/**
 * Times in seconds, then the bars from the highest: all requests, those refused or not answered, those not
 * answered. Each covers the lower part of the one before.
 */
export function dataOf(steps: readonly Step[]): uPlot.AlignedData {
  return [
    steps.map(({ at }) => Date.parse(at) / 1_000),
    steps.map(({ requests }) => requests),
    steps.map(({ refused, faulted }) => refused + faulted),
    steps.map(({ faulted }) => faulted),
  ];
}

export function chartOptions({ hours, stepMs, colours, font, size }: ChartInput): uPlot.Options {
  const half = stepMs / 2_000;
  return {
    ...size,
    // The last time of the axis reaches beyond its bar.
    padding: [8, 16, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    scales: {
      // A bar stands to the right of its beginning.
      x: { time: true, range: (_chart, from, to) => [from - half / 2, to + half * 2.5] },
      y: { range: (_chart, _from, to) => [0, Math.max(LEAST_HEIGHT, to * HEADROOM)] },
    },
    axes: [
      {
        stroke: colours.soft,
        font: `${FONT_PX}px ${font}`,
        size: 28,
        gap: 6,
        grid: { show: false },
        ticks: { show: false },
        space: 72,
        values: (_chart, times) =>
          times.map((time) => {
            const at = new Date(time * 1_000);
            return hours > 24 ? dayText(at) : timeText(at, hours);
          }),
        ...(hours > 24 ? { incrs: [DAY_SECONDS, 2 * DAY_SECONDS] } : {}),
      },
      {
        stroke: colours.soft,
        font: `${FONT_PX}px ${font}`,
        size: (_chart, values) => 12 + 7.2 * Math.max(...(values ?? ['']).map(({ length }) => length), 1),
        gap: 6,
        grid: { stroke: colours.line, width: 1 },
        ticks: { show: false },
        space: 44,
        incrs: WHOLE_STEPS,
        values: (_chart, counts) => counts.map((count) => countText(count)),
      },
    ],
    series: [{}, bar(colours.served), bar(colours.refused), bar(colours.faulted)],
  };
}

function bar(colour: string): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.72, 28], radius: 0.15, align: 1 });
  return {
    fill: colour,
    stroke: colour,
    width: 0,
    points: { show: false },
    ...(paths === undefined ? {} : { paths }),
  };
}

/** An account that gets a request a day should not show it as a tower. */
const LEAST_HEIGHT = 4;
const HEADROOM = 1.12;
const DAY_SECONDS = 86_400;
/** Whole: uPlot scales the digits before `px` to the screen, and no point among them. */
const FONT_PX = 12;
/** There is no half request. */
const WHOLE_STEPS = Array.from({ length: 10 }, (_, power) =>
  [1, 2, 5].map((each) => each * 10 ** power),
).flat();
