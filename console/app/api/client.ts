// The control API for the pages, and who is logged in.

import { useQuery } from '@tanstack/react-query';
import { createClient } from '../../../src/client/client.ts';
import type { Role } from '../../../src/domain/role.ts';
import { ServiceError } from '../../../src/domain/service-error.ts';
import { fetchOpen, fetchSend } from './fetch-send.ts';
import { pageIsOf } from './page-account.ts';

export const client = createClient({
  url: new URL(location.origin),
  apiKey: null,
  send: fetchSend,
  open: fetchOpen,
});

export type Member = {
  readonly id: string;
  readonly email: string;
  readonly role: Role | 'visitor';
};
export type KeyInUse = Omit<Member, 'email'> & { readonly name: string; readonly scope: 'read' | 'full' };

/** A member of an account, whoever holds one of its API keys, or a visitor, who is a member of none. */
export type ConsoleSession = {
  readonly kind: 'member' | 'key' | 'visitor';
  /** Of a visitor there is none: its texts are empty. */
  readonly account: { readonly id: string; readonly name: string };
  /** Who it is for people; a key by its name. */
  readonly member: Member;
  readonly apiKey: KeyInUse | null;
  /** Names of what the API lets them do: `control/authorize.ts`. */
  readonly may: readonly string[];
  readonly expiresAt: string;
};

/** Null data: nobody is logged in here. */
export function useSession() {
  return useQuery({
    queryKey: ['session'],
    queryFn: readSession,
    staleTime: SESSION_FRESH_MS,
    // Another tab may have logged in as somebody else.
    refetchOnWindowFocus: 'always',
    retry: false,
  });
}

async function readSession(): Promise<ConsoleSession | null> {
  const response = await fetch('/auth/session', { credentials: 'same-origin', cache: 'no-store' });
  if (response.status === 401) {
    pageIsOf(null);
    return null;
  }
  if (!response.ok) throw new Error(`The service answered ${response.status}.`);
  const session = sessionOf((await response.json()) as SessionAnswer);
  pageIsOf(session.account.id);
  return session;
}

type SessionAnswer = Omit<ConsoleSession, 'account' | 'member'> & {
  readonly account: ConsoleSession['account'] | null;
  readonly member: Member | null;
  readonly person: { readonly email: string } | null;
};

function sessionOf(answer: SessionAnswer): ConsoleSession {
  const { member, apiKey, person } = answer;
  const session = { ...answer, account: answer.account ?? { id: '', name: '' } };
  if (member !== null) return { ...session, member };
  if (apiKey !== null)
    return { ...session, member: { id: apiKey.id, email: `API key ${apiKey.name}`, role: apiKey.role } };
  if (person !== null) return { ...session, member: { id: '', email: person.email, role: 'visitor' } };
  throw new TypeError('Cannot tell who is logged in: the service names nobody');
}

/** Leads to the login page. Throws when the service did not take it. */
export async function logOut(): Promise<void> {
  const { ok } = await fetch('/auth/logout', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
    credentials: 'same-origin',
  });
  if (!ok) throw new Error('Cannot log out: the service did not take it');
  location.assign('/console/');
}

/** Whether asking again may help: what the API refuses it refuses the next time, too. */
export function mayRecover(error: unknown): boolean {
  return !(error instanceof ServiceError) || error.fault.status >= 500;
}

const SESSION_FRESH_MS = 60_000;
