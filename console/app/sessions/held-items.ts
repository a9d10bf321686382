// How much a person holds, an item for each kind that there is.

import type { PersonCounts } from '../../../src/wire/person.ts';

export function heldItems(counts: PersonCounts): readonly string[] {
  return KINDS.filter(([name]) => counts[name] > 0).map(([name, one, many]) =>
    counts[name] === 1 ? `1 ${one}` : `${counts[name]} ${many}`,
  );
}

const KINDS = [
  ['sessions', 'session at a share', 'sessions at shares'],
  ['consoleSessions', 'session at this console', 'sessions at this console'],
  ['certificates', 'certificate', 'certificates'],
  ['requestTokens', 'unused certificate request token', 'unused certificate request tokens'],
  ['apiKeys', 'API key', 'API keys'],
] as const satisfies readonly (readonly [keyof PersonCounts, string, string])[];
