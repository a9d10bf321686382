// How much a person holds, in words.

import type { PersonCounts } from '../../wire/person.ts';

export function heldText(counts: PersonCounts): string {
  const held = WORDS.filter(([name]) => counts[name] > 0);
  if (held.length === 0) return 'nothing is active';
  return held.map(([name, one]) => `${counts[name]} ${one}${counts[name] === 1 ? '' : 's'}`).join(', ');
}

const WORDS = [
  ['sessions', 'session'],
  ['consoleSessions', 'console session'],
  ['certificates', 'certificate'],
  ['requestTokens', 'unused certificate request token'],
  ['apiKeys', 'API key'],
] as const satisfies readonly (readonly [keyof PersonCounts, string])[];
