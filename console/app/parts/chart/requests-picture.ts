// The picture of requests: what was served, refused and not answered.

import { countText } from '../numbers.ts';
import type { Picture } from './picture.ts';
import { partsOf, type Step } from './steps.ts';

export function requestsPicture(
  steps: readonly Step[],
  { stepMs, hours }: Pick<Picture, 'stepMs' | 'hours'>,
): Picture {
  const parts = steps.map((step) => partsOf(step));
  return {
    kind: 'bars',
    times: steps.map(({ at }) => Date.parse(at)),
    stepMs,
    hours,
    parts: [
      { name: 'served', label: 'served', values: parts.map(({ served }) => served) },
      { name: 'refused', label: 'refused', values: parts.map(({ refused }) => refused) },
      { name: 'faulted', label: 'unanswered', values: parts.map(({ faulted }) => faulted) },
    ],
    text: countText,
  };
}
