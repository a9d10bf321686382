// What stands beside the pointer over the picture: when, and how many of each.

import type uPlot from 'uplot';
import { countText, timeText } from './numbers.ts';
import { partsOf, type Step } from './requests-sums.ts';

export function showTip(steps: () => readonly Step[], hours: number): uPlot.Plugin {
  const tip = document.createElement('div');
  tip.className = 'overview-tip';
  tip.hidden = true;
  return {
    hooks: {
      init: (chart) => void chart.over.append(tip),
      setCursor: (chart) => {
        const step = steps()[chart.cursor.idx ?? -1];
        const { left = -1 } = chart.cursor;
        tip.hidden = step === undefined || left < 0;
        if (step === undefined || tip.hidden) return;
        fill(tip, step, hours);
        // On the side where there is room.
        const isRight = left > chart.over.clientWidth / 2;
        const x = isRight ? left - tip.offsetWidth - GAP_PX : left + GAP_PX;
        tip.style.transform = `translate(${Math.round(Math.max(0, x))}px, 0)`;
      },
    },
  };
}

function fill(tip: HTMLElement, step: Step, hours: number): void {
  const parts = partsOf(step);
  tip.replaceChildren(
    row('when', timeText(new Date(step.at), hours), ''),
    row('served', 'served', countText(parts.served)),
    ...(parts.refused > 0 ? [row('refused', 'refused', countText(parts.refused))] : []),
    ...(parts.faulted > 0 ? [row('faulted', 'unanswered', countText(parts.faulted))] : []),
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
