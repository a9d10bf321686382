// One thing with the version that is shown of it, so that a change is made onto that version and no other.

import { useQuery } from '@tanstack/react-query';
import type { Versioned } from '../../../src/client/call.ts';

/**
 * `key` is that of the thing (`['shares', name]`): what is invalidated there is read again here. `everyMs`:
 * how often by itself.
 */
export function useVersion<Thing>(
  key: readonly unknown[],
  read: () => Promise<Versioned<Thing>>,
  everyMs: number | false = false,
) {
  return useQuery({ queryKey: [...key, 'version'], queryFn: read, refetchInterval: everyMs });
}
