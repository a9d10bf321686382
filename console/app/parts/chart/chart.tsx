// A picture over time, drawn by uPlot. It takes its colors from the page, follows the page's size and theme,
// and fills the place that it is given.

import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { chartOptions } from './chart-options.ts';
import { onThemeChange, readColours } from './chart-theme.ts';
import { showTip } from './chart-tip.ts';
import { drawn, gathered, type Picture } from './picture.ts';

export default function Chart({ picture }: { readonly picture: Picture }) {
  const place = useRef<HTMLDivElement>(null);
  const latest = useRef(picture);
  const redraw = useRef(() => {});
  latest.current = picture;
  useEffect(() => {
    const host = place.current;
    if (host === null) return;
    let chart: uPlot | null = null;
    let last = '';
    const draw = () => {
      const size = sizeOf(host);
      const shown = gathered(latest.current, Math.floor(size.width / LEAST_STEP_PX));
      // A pointer that stands over it keeps its place unless something changed.
      const now = JSON.stringify([shown, size]);
      if (now === last) return;
      last = now;
      chart?.destroy();
      const font = getComputedStyle(host).fontFamily;
      const options = chartOptions({ picture: shown, colours: readColours(host), font, size });
      options.plugins = [showTip(shown)];
      chart = new uPlot(options, drawn(shown) as uPlot.AlignedData, host);
    };
    redraw.current = draw;
    draw();
    const ignoreTheme = onThemeChange(() => {
      last = '';
      draw();
    });
    const resized = new ResizeObserver(draw);
    resized.observe(host);
    return () => {
      ignoreTheme();
      resized.disconnect();
      chart?.destroy();
    };
  }, []);
  useEffect(() => redraw.current(), [picture]);
  return <div ref={place} className="chart-canvas" />;
}

function sizeOf({ clientWidth, clientHeight }: HTMLElement) {
  return { width: Math.max(clientWidth, 1), height: Math.max(clientHeight, 1) };
}

/** A bar of less is a hair. */
const LEAST_STEP_PX = 8;
