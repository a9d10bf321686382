// What stands beside the pointer over a picture: when, and how much of each.

import type uPlot from 'uplot';
import { timeText } from '../numbers.ts';
import type { Picture } from './picture.ts';

export function showTip(picture: Picture): uPlot.Plugin {
  const tip = document.createElement('div');
  tip.className = 'chart-tip';
  tip.hidden = true;
  return {
    hooks: {
      init: (chart) => void chart.over.append(tip),
      setCursor: (chart) => {
        const { left = -1, idx } = chart.cursor;
        const at = picture.times[idx ?? -1];
        tip.hidden = at === undefined || left < 0;
        if (at === undefined || tip.hidden) return;
        fill(tip, picture, idx ?? 0);
        // On the side where there is room.
        const isRight = left > chart.over.clientWidth / 2;
        const x = isRight ? left - tip.offsetWidth - GAP_PX : left + GAP_PX;
        tip.style.transform = `translate(${Math.round(Math.max(0, x))}px, 0)`;
      },
    },
  };
}

function fill(tip: HTMLElement, { times, hours, parts, text }: Picture, index: number): void {
  const shown = parts.filter(({ values }, place) => place === 0 || (values[index] ?? 0) > 0);
  tip.replaceChildren(
    row('when', timeText(new Date(times[index] ?? 0), hours), ''),
    ...shown.map(({ name, label, values }) => {
      const value = values[index] ?? null;
      return row(name, label, value === null ? 'none' : text(value));
    }),
  );
}

/** As text: nothing of it is ever markup. */
function row(part: string, label: string, value: string): HTMLElement {
  const line = document.createElement('p');
  line.dataset['part'] = part;
  const [name, figure] = [document.createElement('span'), document.createElement('b')];
  name.textContent = label;
  figure.textContent = value;
  line.append(name, figure);
  return line;
}

const GAP_PX = 12;
