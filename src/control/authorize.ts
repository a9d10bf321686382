// The one place of authorisation: what each permission takes, and whether a caller has it. Every operation
// names its permission (`needs: 'shares.write'`). That is checked before anything that was sent is looked at,
// and it is the only way to learn who calls: an operation that names none does not compile, and serves
// nobody.

import type { MiddlewareHandler } from 'hono';
import { isRoleAtLeast, isScopeAtLeast, type KeyScope, type LeastRole } from '../domain/role.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Authenticated, Caller, ControlEnv } from './control-deps.ts';

/**
 * The least that a permission takes. A member that logged in has the scope `full`; an auditor has that of
 * `read` at most, whatever the credential.
 */
export const PERMISSIONS = {
  'status.read': { role: 'member', scope: 'read' },
  'overview.read': { role: 'member', scope: 'read' },
  /** Where agents find the gateways. */
  'gateways.read': { role: 'member', scope: 'any' },
  /** Who calls: whatever credential was shown. */
  'caller.read': { role: 'member', scope: 'any' },
  'account.read': { role: 'admin', scope: 'read' },
  /** In which file and line the operator set what the account reads: not for auditors. */
  'configuration.read': { role: 'admin', scope: 'full' },
  'members.read': { role: 'admin', scope: 'read' },
  'members.write': { role: 'admin', scope: 'full' },
  'api_keys.read': { role: 'admin', scope: 'read' },
  'api_keys.write': { role: 'admin', scope: 'full' },
  'providers.read': { role: 'admin', scope: 'read' },
  'providers.write': { role: 'admin', scope: 'full' },
  /** Calls the provider. */
  'providers.test': { role: 'admin', scope: 'full' },
  'shares.read': { role: 'member', scope: 'read' },
  /** Making, and taking down, what an agent serves. */
  'shares.serve': { role: 'member', scope: 'tunnel' },
  'shares.write': { role: 'member', scope: 'full' },
  'sessions.read': { role: 'member', scope: 'read' },
  'sessions.end': { role: 'admin', scope: 'full' },
  /** All that a person holds, their keys and certificates among it. */
  'people.read': { role: 'admin', scope: 'read' },
  'people.end': { role: 'admin', scope: 'full' },
  'audit.read': { role: 'member', scope: 'read' },
  /** Whoever makes one lets a program in. */
  'tokens.read': { role: 'admin', scope: 'read' },
  'tokens.write': { role: 'admin', scope: 'full' },
  'webhooks.read': { role: 'admin', scope: 'read' },
  'webhooks.write': { role: 'admin', scope: 'full' },
  'certificates.read': { role: 'admin', scope: 'read' },
  /** Tokens, revocations, rules and authorities (contract 2.7: authorised administrators alone). */
  'certificates.write': { role: 'admin', scope: 'full' },
} as const satisfies Record<string, { readonly role: LeastRole; readonly scope: KeyScope | 'any' }>;

export type Permission = keyof typeof PERMISSIONS;

/**
 * Who may call an operation: whoever has the permission; a person for their own things; a member in person;
 * an operator in person; or without any credential of the API, anyone, or the holder of the connection's
 * client certificate.
 */
export type Needs =
  | Permission
  | typeof ONESELF
  | typeof IN_PERSON
  | typeof OPERATOR
  | typeof ANYONE
  | typeof HOLDER;

/**
 * Who may call, and as what, is not for client certificates to change: a key, an invitation, or a provider at
 * which members log in, would be good when the certificate that made it is revoked, and when whoever allowed
 * that is gone. So would a service token. A webhook would go on telling what happens in the account. Tokens
 * for certificates with a role are refused where they are made.
 */
const NOT_BY_CERTIFICATE: ReadonlySet<Permission> = new Set([
  'members.write',
  'api_keys.write',
  'tokens.write',
  'providers.write',
  'webhooks.write',
  'people.end',
]);

/** The caller, when the permission is theirs. Throws `not_allowed`. */
export function authorize(caller: Caller, permission: Permission): Caller {
  const refused = refusal(caller, permission);
  if (refused !== null) throw refused;
  return caller;
}

export function isAllowed(caller: Caller, permission: Permission): boolean {
  return refusal(caller, permission) === null;
}

function refusal(caller: Caller, permission: Permission): ServiceError | null {
  const least = PERMISSIONS[permission];
  if (!isRoleAtLeast(caller.role, least.role))
    return new ServiceError(
      'not_allowed',
      `Cannot make this call as a ${caller.role}: it requires the role ${least.role}`,
      {
        hint: 'Ask an admin of your account.',
      },
    );
  if (caller.role === 'auditor' && !AUDITORS.has(least.scope))
    return new ServiceError('not_allowed', 'Cannot make this call as an auditor: auditors change nothing', {
      hint: 'Ask an admin of your account.',
    });
  if (NOT_BY_CERTIFICATE.has(permission) && caller.actor.kind === 'certificate')
    return new ServiceError(
      'not_allowed',
      'Cannot make this call with a client certificate: the access it grants would outlive a revoked certificate',
      { hint: 'Use the API key of an admin, or log in.' },
    );
  if (least.scope !== 'any' && !isScopeAtLeast(caller.scope, least.scope))
    return new ServiceError('not_allowed', `Cannot make this call with this API key: ${ONLY[caller.scope]}`, {
      hint:
        least.scope === 'full'
          ? 'Use a key with scope "full".'
          : `Use a key with scope "${least.scope}" or "full".`,
    });
  return null;
}

type Access = {
  /** For the API's description. */
  readonly security: Record<string, string[]>[];
  /** Runs before the operation; null for those that need no caller. */
  readonly check: MiddlewareHandler<ControlEnv> | null;
};

/** Throws for what is none: nothing is served that anybody could call by mistake. */
export function accessFor(needs: Needs): Access {
  if (isPermission(needs)) return { security: CREDENTIALS, check: requirePermission(needs) };
  const access = Object.hasOwn(OTHER_ACCESS, needs) ? OTHER_ACCESS[needs] : undefined;
  if (access === undefined) throw new TypeError(`Cannot serve an operation: no rule says who has "${needs}"`);
  return access;
}

function requirePermission(permission: Permission): MiddlewareHandler<ControlEnv> {
  return async (c, next) => {
    c.set('caller', callerWith(permission, c.get('authenticated')));
    await next();
  };
}

/** Throws `not_allowed`. */
export function callerWith(permission: Permission, authenticated: Authenticated): Caller {
  return authorize(requireCaller(authenticated), permission);
}

/** A person who is no member calls for no account: none of its operations is theirs, whatever it takes. */
function requireCaller({ caller }: Authenticated): Caller {
  if (caller !== null) return caller;
  throw new ServiceError('not_allowed', 'Cannot make this call: you are not a member of an account', {
    hint: 'Ask an admin of the account to make you a member.',
  });
}

/**
 * For whoever logged in at a provider, member or not: it sees and changes what is that person's own
 * (`store/people/own-things.ts`), and nothing else. A key or a certificate is nobody's login.
 */
const requireOneself: MiddlewareHandler<ControlEnv> = async (c, next) => {
  const { me } = c.get('authenticated');
  if (me === null)
    throw new ServiceError('not_allowed', 'Cannot show your own access: no person is logged in', {
      hint: 'Log in at the control plane with an identity provider.',
    });
  c.set('me', me);
  await next();
};

/**
 * For a member who logged in at a provider, in person: what lets others act for them. A key could otherwise
 * make itself another, which outlives it.
 */
const requireMember: MiddlewareHandler<ControlEnv> = async (c, next) => {
  const caller = requireCaller(c.get('authenticated'));
  if (caller.memberId === null || caller.keyId !== null)
    throw new ServiceError('not_allowed', 'Cannot log in a device: no member is logged in', {
      hint: 'Log in to the console with an identity provider.',
    });
  c.set('caller', caller);
  await next();
};

/**
 * For a person whom the configuration names: no role of an account and no credential of one is that. It sees
 * figures of all accounts, never what they hold, and changes nothing.
 */
const requireOperator: MiddlewareHandler<ControlEnv> = async (c, next) => {
  if (!c.get('authenticated').operates)
    throw new ServiceError('not_allowed', 'Cannot make this call: you are not an operator of this service', {
      hint: 'The configuration names operators under control.operators.',
    });
  await next();
};

/** What a role with a scope may do, for pages that should not offer more. */
export function permissionsOf({ role, scope }: Pick<Caller, 'role' | 'scope'>): readonly Permission[] {
  return Object.entries(PERMISSIONS)
    .filter(([, least]) => isRoleAtLeast(role, least.role))
    .filter(([, least]) => role !== 'auditor' || AUDITORS.has(least.scope))
    .filter(([, least]) => least.scope === 'any' || isScopeAtLeast(scope, least.scope))
    .map(([permission]) => permission)
    .filter(isPermission);
}

export function isPermission(value: unknown): value is Permission {
  return typeof value === 'string' && Object.hasOwn(PERMISSIONS, value);
}

/** What an auditor may, of what permissions take. */
const AUDITORS: ReadonlySet<KeyScope | 'any'> = new Set(['read', 'any']);
const ONLY: Readonly<Record<KeyScope, string>> = {
  tunnel: 'it can only serve tunnels',
  read: 'it can only read',
  full: 'it is not allowed to',
};
export const ONESELF = 'oneself';
export const IN_PERSON = 'member';
export const OPERATOR = 'operator';
export const ANYONE = 'anyone';
export const HOLDER = 'holder';
const PERSONS: Record<string, string[]>[] = [{ session: [] }];
const CREDENTIALS: Record<string, string[]>[] = [{ apiKey: [] }, { session: [] }, { clientCertificate: [] }];
const OTHER_ACCESS: Readonly<Record<Exclude<Needs, Permission>, Access>> = {
  [ONESELF]: { security: PERSONS, check: requireOneself },
  [IN_PERSON]: { security: PERSONS, check: requireMember },
  [OPERATOR]: { security: PERSONS, check: requireOperator },
  [ANYONE]: { security: [], check: null },
  [HOLDER]: { security: [{ clientCertificate: [] }], check: null },
};
