// Steps of time added up: in all, and as the few rows of a table.

import { timeText } from '../numbers.ts';

/** Of an account or of one share. */
export type Step = { readonly at: string } & Sum;
export type Sum = { readonly requests: number; readonly refused: number; readonly faulted: number };

export function sumOf(steps: readonly Sum[]): Sum {
  return steps.reduce<Sum>(
    (sum, step) => ({
      requests: sum.requests + step.requests,
      refused: sum.refused + step.refused,
      faulted: sum.faulted + step.faulted,
    }),
    { requests: 0, refused: 0, faulted: 0 },
  );
}

/** What a bar is made of, none of which is in another. */
export function partsOf({ requests, refused, faulted }: Sum) {
  return { served: requests - refused - faulted, refused, faulted };
}

/** At most twelve, each of some steps. */
export function summaryRows<Each extends Step>(steps: readonly Each[], hours: number) {
  const perRow = Math.ceil(steps.length / ROWS);
  return Array.from({ length: Math.ceil(steps.length / perRow) }, (_, index) => {
    const own = steps.slice(index * perRow, (index + 1) * perRow);
    const at = own[0]?.at ?? '';
    return { at, from: timeText(new Date(at), hours), sum: sumOf(own), steps: own };
  });
}

const ROWS = 12;
