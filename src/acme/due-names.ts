// Which names are to be looked after now, and in which order. Pure.

import type { AcmeName } from '../store/acme/acme.ts';

/** The installation's own first, then whoever has no certificate, then those that end first. */
export function dueNames(names: readonly AcmeName[], now: number): readonly AcmeName[] {
  return names.filter((name) => isDue(name, now)).toSorted((a, b) => rank(a) - rank(b) || end(a) - end(b));
}

/** It has no certificate that is good at `now`. */
export function isOver({ held }: AcmeName, now: number): boolean {
  return held === null || held.notAfter <= now;
}

/** Whether it is not time yet. A time that is further off than any is of a clock that was set back. */
export function rests({ retryAt }: Pick<AcmeName, 'retryAt'>, now: number): boolean {
  return retryAt !== null && retryAt > now && retryAt <= now + LONGEST_REST_MS;
}

function isDue({ held, ordered, ...tries }: AcmeName, now: number): boolean {
  if (rests(tries, now)) return false;
  return held === null || ordered || held.renewAt <= now || held.checkAt <= now;
}

function rank({ accountId, held, failures }: AcmeName): number {
  // One that failed waits for those that did not.
  return (accountId === null ? 0 : 2) + (held === null ? 0 : 1) + Math.min(failures, MOST_FAILURES) * 4;
}

function end({ held }: AcmeName): number {
  return held?.notAfter ?? 0;
}

const MOST_FAILURES = 10;
/** What a failure, or a server, has anything wait for at most. */
export const LONGEST_REST_MS = 86_400_000;
