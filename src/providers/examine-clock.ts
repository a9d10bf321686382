// Whether the provider's clock and ours agree, by the Date of its answer (RFC 9110 section 6.6.1): id tokens
// are believed for as long as both say that they are valid.

import { type Check, fails, passes, warns } from '../domain/check.ts';
import { CLOCK_TOLERANCE_SECONDS } from './openid-client.ts';

/** `startedAt` and `endedAt` are ours, around the call, in milliseconds since the epoch. */
export function clockCheck(headers: Headers, startedAt: number, endedAt: number): Check {
  const said = Date.parse(headers.get('date') ?? '');
  if (Number.isNaN(said)) return warns('clock', UNSEEN, UNSEEN_HINT);
  // A cache on the way adds its Age to a Date that was true when the answer was made (RFC 9111 section 5.1).
  const age = /^\d{1,9}$/.exec(headers.get('age') ?? '')?.[0] ?? '0';
  const earliest = said + Number(age) * 1000;
  const aheadMs = startedAt - (earliest + GRAIN_MS);
  const behindMs = earliest - endedAt;
  const offSeconds = Math.ceil(Math.max(aheadMs, behindMs, 0) / 1000);
  if (offSeconds <= CLOCK_TOLERANCE_SECONDS / 2)
    return passes('clock', 'the clocks of this machine and the provider agree');
  const found = `the clock of this machine is ${offSeconds} s ${aheadMs > behindMs ? 'ahead of' : 'behind'} the provider’s`;
  return offSeconds <= CLOCK_TOLERANCE_SECONDS
    ? warns('clock', found, CLOCK_HINT)
    : fails('clock', `${found}; the tolerance is ${CLOCK_TOLERANCE_SECONDS} s`, CLOCK_HINT);
}

/** Whether it says that the provider's time is not known, rather than that it differs. */
export function isClockUnseen({ found }: Check): boolean {
  return found === UNSEEN;
}

/** Whole seconds in Date and in Age, each cut off. */
const GRAIN_MS = 2000;
const UNSEEN = 'unknown: the provider does not send its time';
const UNSEEN_HINT = 'Synchronize the clock of this machine with NTP. ID tokens tolerate 10 seconds.';
const CLOCK_HINT = 'Synchronize the clock of this machine with NTP.';
