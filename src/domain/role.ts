// What a member or an API key may be. Who may do what with it is one table: `control/authorize.ts`.

/** An auditor reads what an admin reads, and changes nothing. An admin may do all that the others may. */
export const ROLES = ['member', 'auditor', 'admin'] as const;
export type Role = (typeof ROLES)[number];

/** What a permission can ask for: whose things it is about. */
export type LeastRole = Exclude<Role, 'auditor'>;

/**
 * What a client certificate may be at the service by itself: a role, or `tunnel`, which is what an API key of
 * that scope may do as a member, and no more.
 */
export const CERTIFICATE_ROLES = ['tunnel', 'member', 'admin'] as const;
export type CertificateRole = (typeof CERTIFICATE_ROLES)[number];

/** `tunnel` serves shares from elsewhere, `read` changes nothing, `full` may do all that the others may. */
export const KEY_SCOPES = ['tunnel', 'read', 'full'] as const;
export type KeyScope = (typeof KEY_SCOPES)[number];

/** What a credential may do. Neither half alone says it: an auditor changes nothing, whatever the scope. */
export type Rights = { readonly role: Role; readonly scope: KeyScope };

/** False for a role that this version does not know. */
export function isRoleAtLeast(role: Role, least: LeastRole): boolean {
  return role === least || role === 'admin' || role === 'auditor';
}

export function isScopeAtLeast(scope: KeyScope, least: KeyScope): boolean {
  return scope === 'full' || scope === least;
}

/** Serving a share from elsewhere is a change. */
export function mayServeTunnels({ role, scope }: Rights): boolean {
  return (role === 'member' || role === 'admin') && isScopeAtLeast(scope, 'tunnel');
}

/** What a login in person may do. */
export function loginRights(role: Role): Rights {
  return { role, scope: role === 'auditor' ? 'read' : 'full' };
}

/**
 * What a key or a certificate may do of somebody with `role`: never more than either. What could only serve
 * tunnels can do nothing with an auditor.
 */
export function lesserRights({ role: own, scope }: Rights, role: Role): Rights {
  const lesser = ROLES.indexOf(own) < ROLES.indexOf(role) ? own : role;
  if (own !== 'auditor' && role !== 'auditor') return { role: lesser, scope };
  return scope === 'tunnel' ? { role: 'auditor', scope } : { role: lesser, scope: 'read' };
}
