// Durations as people write them: `6h`, `1h30m`, `90s`, `30d` (DESIGN 2.1; contract 2.1 and 2.3).

import { ServiceError } from './service-error.ts';

/**
 * The milliseconds of a duration: whole numbers with the units `d`, `h`, `m`, `s`, the largest first, each at
 * most once, more than nothing and at most ten years in all. Throws `validation_failed` for anything else.
 */
export function parseDuration(text: string): number {
  const parts = text.length <= MAX_TEXT_LENGTH ? DURATION.exec(text) : null;
  if (parts === null) throw refusal(text, 'it is not written as 6h, 1h30m, 90s or 30d');
  let totalMs = 0;
  for (const [index, unit] of UNITS.entries()) totalMs += Number(parts[index + 1] ?? 0) * unit.ms;
  if (totalMs === 0) throw refusal(text, 'it is zero');
  if (totalMs > MAX_DURATION_MS) throw refusal(text, 'it is more than ten years (3650d)');
  return totalMs;
}

/** The shortest text that `parseDuration` reads as this many milliseconds; parts of a second are left out. */
export function formatDuration(durationMs: number): string {
  let restMs = Math.max(0, durationMs);
  let text = '';
  for (const unit of UNITS) {
    const count = Math.floor(restMs / unit.ms);
    if (count > 0) text += `${count}${unit.name}`;
    restMs -= count * unit.ms;
  }
  return text === '' ? '0s' : text;
}

function refusal(text: string, found: string): ServiceError {
  return new ServiceError(
    'validation_failed',
    `Cannot parse duration: "${text.slice(0, MAX_TEXT_LENGTH)}": ${found}`,
    {
      hint: 'Write whole numbers with the units d, h, m and s, the largest first, such as 1h30m.',
    },
  );
}

const DURATION = /^(?:(\d+)d)?(?:(\d+)h)?(?:(\d+)m)?(?:(\d+)s)?$/;
const UNITS = [
  { name: 'd', ms: 86_400_000 },
  { name: 'h', ms: 3_600_000 },
  { name: 'm', ms: 60_000 },
  { name: 's', ms: 1_000 },
] as const;

/** Far longer than any sensible duration, and short enough to be shown in a message. */
const MAX_TEXT_LENGTH = 40;
/** Beyond this a number is a mistake; it also keeps sums with the clock exact. */
export const MAX_DURATION_MS = 3650 * 86_400_000;
