// How far back figures look, as the address says it: a day unless it says another.

import { useQueryValue } from '../router.tsx';
import { isRange, type Range } from './ranges.ts';

export function useRange(): readonly [Range, (next: Range) => void] {
  const [asked, ask] = useQueryValue('hours');
  return [isRange(asked) ? asked : '24', (next) => ask(next === '24' ? '' : next)];
}
