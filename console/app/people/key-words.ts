// API keys in words.

import type { ApiKeyObject } from '../../../src/wire/api-key.ts';

export function keyWords({ role, scope }: Pick<ApiKeyObject, 'role' | 'scope'>): string {
  if (scope === 'tunnel') return 'only share ports';
  return scope === 'read' ? `read what ${ROLE_WORDS[role]} may` : `all that ${ROLE_WORDS[role]} may`;
}

/** One of them. */
export const ROLE_WORDS = {
  member: 'a member',
  auditor: 'an auditor',
  admin: 'an admin',
} as const satisfies Readonly<Record<ApiKeyObject['role'], string>>;

export type Expiry = 'never' | 'later' | 'soon' | 'over';

export function expiryOf(expiresAt: string | null, now: number): Expiry {
  if (expiresAt === null) return 'never';
  const leftMs = Date.parse(expiresAt) - now;
  if (leftMs <= 0) return 'over';
  return leftMs < SOON_MS ? 'soon' : 'later';
}

/** It asks for the key, so that no list of processes and no history of a shell has it. */
export function loginCommand(origin: string): string {
  return `doorward login --url ${origin}`;
}

/** Time to make another, and to put it in its place. */
const SOON_MS = 14 * 86_400_000;
