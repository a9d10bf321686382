// How many sessions there are, and why they ended, in words.

import { type Counted, totalText } from '../parts/total-text.ts';

type CountOf = {
  readonly state: 'active' | 'ended';
  /** The one that all logged in with; null for several. */
  readonly provider: string | null;
};

/** "37 sessions, all by corp"; empty where the page says it otherwise. */
export function countText(list: Counted, { state, provider }: CountOf): string {
  const total = totalText(list, { one: 'session' });
  if (total === '') return '';
  const by = provider === null || list.items.length < 2 ? '' : `, all by ${provider}`;
  return `${state === 'ended' ? 'ended: ' : ''}${total}${by}`;
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
