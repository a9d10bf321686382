// Who is logged in, and what they may do, for the pages inside the shell.

import { createContext, use } from 'react';
import type { ConsoleSession } from '../api/client.ts';

export const SessionContext = createContext<ConsoleSession | null>(null);

export function useMember(): ConsoleSession {
  const session = use(SessionContext);
  if (session === null) throw new TypeError('Cannot tell who is logged in: this page is outside the shell');
  return session;
}

/**
 * Whether the API would let them: `may('shares.write')`. What it would not is not offered; the API decides
 * all the same.
 */
export function useMay(): (permission: string) => boolean {
  const { may } = useMember();
  return (permission) => may.includes(permission);
}
