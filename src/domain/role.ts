// What a member or an API key may be. Who may do what with it is one table: `control/authorize.ts`.

/** Each may do all that those before it may. */
export const ROLES = ['member', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/**
 * What a client certificate may be at the service by itself: a role, or `tunnel`, which is what an API key of
 * that scope may do as a member, and no more.
 */
export const CERTIFICATE_ROLES = ['tunnel', ...ROLES] as const;
export type CertificateRole = (typeof CERTIFICATE_ROLES)[number];

/** `tunnel` serves shares from elsewhere, `read` changes nothing, `full` may do all that the others may. */
export const KEY_SCOPES = ['tunnel', 'read', 'full'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export function isRoleAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export function isScopeAtLeast(scope: KeyScope, least: KeyScope): boolean {
  return scope === 'full' || scope === least;
}

/** A member's key is never more than the member. */
export function lesserRole(a: Role, b: Role): Role {
  return isRoleAtLeast(a, b) ? b : a;
}
