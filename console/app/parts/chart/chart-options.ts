// How a picture is drawn: few lines, round numbers, an axis that reaches at least as high as what is drawn.

import uPlot from 'uplot';
import { dayText, timeText } from '../numbers.ts';
import type { Colours } from './chart-theme.ts';
import { axisTicks, type Picture } from './picture.ts';

export type ChartInput = {
  readonly picture: Picture;
  readonly colours: Colours;
  /** The page's. */
  readonly font: string;
  readonly size: { readonly width: number; readonly height: number };
};

export function chartOptions({ picture, colours, font, size }: ChartInput): uPlot.Options {
  const { kind, hours, stepMs, parts, text } = picture;
  const [from = 0, to = 0] = [picture.times[0], picture.times.at(-1)];
  const ticks = (highest: number) =>
    axisTicks(Math.max(highest, LEAST_HEIGHT), Math.floor(size.height / TICK_PX), kind === 'bars');
  return {
    ...size,
    // The last time and the highest number of the axes reach beyond what is drawn.
    padding: [10, 16, 0, 0],
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false, setScale: false } },
    scales: {
      // A step reaches to the right of its beginning.
      x: { time: true, range: () => [(from - stepMs / 4) / 1_000, (to + stepMs * 1.25) / 1_000] },
      y: { range: (_chart, _from, highest) => [0, ticks(highest ?? 0).at(-1) ?? LEAST_HEIGHT] },
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
        splits: (_chart, _axis, _from, highest) => [...ticks(highest)],
        values: (_chart, values) => values.map((value) => text(value)),
      },
    ],
    series: [{}, ...parts.map(({ name }) => (kind === 'bars' ? bar : line)(colours[name]))],
  };
}

function bar(colour: string): uPlot.Series {
  const paths = uPlot.paths.bars?.({ size: [0.72, WIDEST_BAR_PX], radius: 0.15, align: 1 });
  return {
    fill: colour,
    stroke: colour,
    width: 0,
    points: { show: false },
    ...(paths === undefined ? {} : { paths }),
  };
}

/** A point for each step: one between two without a value would not be seen. */
function line(colour: string): uPlot.Series {
  return { stroke: colour, width: 2, points: { show: true, size: 5, fill: colour, width: 0 } };
}

/** An account that gets a request a day should not show it as a tower. */
const LEAST_HEIGHT = 4;
const DAY_SECONDS = 86_400;
/** Whole: uPlot scales the digits before `px` to the screen, and no point among them. */
const FONT_PX = 12;
/** Between two numbers of the axis at the side. */
const TICK_PX = 40;
const WIDEST_BAR_PX = 48;
