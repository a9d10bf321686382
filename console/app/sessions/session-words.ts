// How many sessions there are, whose, and why they ended, in words.

import type { SessionObject } from '../../../src/wire/session.ts';

type CountOf = { readonly hasMore: boolean; readonly state: 'active' | 'ended' };

/** "3 sessions of 2 people"; empty where the page says it otherwise. */
export function countText(
  items: readonly Pick<SessionObject, 'email'>[],
  { hasMore, state }: CountOf,
): string {
  if (items.length === 0) return '';
  const people = new Set(items.map(({ email }) => email.toLowerCase())).size;
  const sessions = `${hasMore ? 'more than ' : ''}${items.length} ${items.length === 1 ? 'session' : 'sessions'}`;
  return `${state === 'ended' ? 'ended: ' : ''}${sessions} of ${people === 1 ? 'one person' : `${people} people`}`;
}

/** Whose word ended it. */
export function endWords(reason: string | null): string {
  if (reason === null) return 'expired';
  return REASONS[reason] ?? reason.replaceAll('_', ' ');
}

const REASONS: Readonly<Record<string, string>> = {
  logout: 'logged out',
  ended_by_admin: 'ended by an admin',
  replaced: 'replaced by a new login',
  invalid_grant: 'ended at the provider',
};
