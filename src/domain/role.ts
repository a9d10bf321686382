// What a member or an API key may be. Who may do what with it is one table: `control/authorize.ts`.

/** Each may do all that those before it may. */
export const ROLES = ['member', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** Each may do all that those before it may. */
export const KEY_SCOPES = ['read', 'full'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

export function isRoleAtLeast(role: Role, least: Role): boolean {
  return ROLES.indexOf(role) >= ROLES.indexOf(least);
}

export function isScopeAtLeast(scope: KeyScope, least: KeyScope): boolean {
  return KEY_SCOPES.indexOf(scope) >= KEY_SCOPES.indexOf(least);
}

/** A member's key is never more than the member. */
export function lesserRole(a: Role, b: Role): Role {
  return isRoleAtLeast(a, b) ? b : a;
}
