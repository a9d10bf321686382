// Until when a rule holds: a day, which counts whole and in UTC, or a moment with its offset (RFC 3339).

import { ServiceError } from './service-error.ts';

/** Milliseconds since the epoch: the first moment at which it holds no more. Throws `validation_failed`. */
export function parseRuleEnd(text: string): number {
  const isDay = DAY.test(text);
  const at = isDay || MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  // The clock of JavaScript takes 31 February for 3 March.
  if (Number.isNaN(at) || (isDay && new Date(at).toISOString().slice(0, 10) !== text))
    throw new ServiceError('validation_failed', `Cannot parse date: "${text.slice(0, 40)}": it is none`, {
      hint: 'Write a day such as 2027-01-31, or a moment such as 2027-01-31T18:00:00Z.',
    });
  return isDay ? at + DAY_MS : at;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?(?:Z|[+-]\d{2}:\d{2})$/;
const DAY_MS = 86_400_000;
