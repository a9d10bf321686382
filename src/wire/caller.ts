// Who calls, and what they may. Times are RFC 3339.

import type { KeyScope, Role } from '../domain/role.ts';

export type CallerObject = {
  /** With which credential. */
  readonly kind: 'api_key' | 'member' | 'certificate';
  readonly account: { readonly id: string; readonly name: string };
  readonly apiKey: { readonly id: string; readonly name: string } | null;
  /** Who logged in, or whose key it is. */
  readonly member: { readonly id: string; readonly email: string } | null;
  readonly certificate: { readonly id: string; readonly name: string } | null;
  readonly role: Role;
  readonly scope: KeyScope;
  /** Null for a credential that does not expire. */
  readonly expiresAt: string | null;
};
