// The picture of requests over time, drawn by uPlot: a bar a step, of what was served, refused and not
// answered. It takes its colours from the page, and follows the page's size and theme.

import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { chartOptions, dataOf } from './chart-options.ts';
import { onThemeChange, readColours } from './chart-theme.ts';
import { showTip } from './chart-tip.ts';
import type { Step } from './requests-sums.ts';

type ChartProps = { readonly steps: readonly Step[]; readonly hours: number; readonly stepMs: number };

export default function Chart({ steps, hours, stepMs }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const chart = useRef<uPlot | null>(null);
  const latest = useRef(steps);
  latest.current = steps;
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    const draw = () => {
      chart.current?.destroy();
      const font = getComputedStyle(host).fontFamily;
      const colours = readColours(host);
      const options = chartOptions({ hours, stepMs, colours, font, size: sizeOf(host) });
      options.plugins = [showTip(() => latest.current, hours)];
      chart.current = new uPlot(options, dataOf(latest.current), host);
    };
    draw();
    const ignoreTheme = onThemeChange(draw);
    const resized = new ResizeObserver(() => chart.current?.setSize(sizeOf(host)));
    resized.observe(host);
    return () => {
      ignoreTheme();
      resized.disconnect();
      chart.current?.destroy();
      chart.current = null;
    };
  }, [hours, stepMs]);
  useEffect(() => chart.current?.setData(dataOf(steps)), [steps]);
  return <div ref={place} className="overview-canvas" />;
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement) {
  return { width: Math.max(clientWidth, 1), height: Math.max(clientHeight, 1) };
}
