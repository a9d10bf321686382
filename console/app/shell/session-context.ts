// Who is logged in, for the pages inside the shell.

import { createContext, use } from 'react';
import type { ConsoleSession } from '../api/client.ts';

export const SessionContext = createContext<ConsoleSession | null>(null);

export function useMember(): ConsoleSession {
  const session = use(SessionContext);
  if (session === null) throw new TypeError('Cannot tell who is logged in: this page is outside the shell');
  return session;
}
