// The time that an overview shows, in steps: few enough to draw, each one that the store keeps, and none left
// out.

import { z } from '@hono/zod-openapi';
import type { ActivityStepObject } from '../../wire/overview.ts';
import type { ActivityStep } from '../../store/activity/query.ts';
import { timeText } from '../time-text.ts';

type FinerStep = { readonly upToHours: number; readonly stepMs: number };
export type Span = { readonly from: number; readonly stepMs: number; readonly steps: number };

/** The query of an operation that counts the last `hours`. */
export function hoursQuery(description: string) {
  const hours = z.coerce.number().int().min(1).max(MOST_HOURS).default(24);
  return z.strictObject({ hours: hours.openapi({ description }) });
}

/** The last `hours`, of which the last step is the one of `now`; in hours when none of `finer` fits. */
export function spanOf(hours: number, now: number, finer: readonly FinerStep[] = STEPS): Span {
  const stepMs = finer.find(({ upToHours }) => hours <= upToHours)?.stepMs ?? HOUR_MS;
  const steps = (hours * HOUR_MS) / stepMs;
  return { from: now - (now % stepMs) - (steps - 1) * stepMs, stepMs, steps };
}

/** Each step of the span, with nothing in those of which nothing is kept. */
export function everyStep(span: Span, kept: readonly ActivityStep[]): readonly ActivityStepObject[] {
  const byTime = new Map(kept.map((step) => [step.at, step]));
  return Array.from({ length: span.steps }, (_, index) => {
    const at = span.from + index * span.stepMs;
    const { requests = 0, refused = 0, faulted = 0 } = byTime.get(at) ?? {};
    return { at: timeText(at), requests, refused, faulted };
  });
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** Minutes are kept for two days. At most 288 steps. */
const STEPS = [
  { upToHours: 3, stepMs: MINUTE_MS },
  { upToHours: 48, stepMs: 10 * MINUTE_MS },
] as const;
/** A week; hours are kept for a day more. */
const MOST_HOURS = 168;
