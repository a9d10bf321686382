// Members that logged in: the caller behind the cookie. Whatever changed since (the member, the account, the provider)
// counts at once, since everything is looked up at each call.

import type { HonoRequest } from 'hono';
import { Secret, secretHash } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ConsoleSession } from '../../store/people.ts';
import type { AskedBy, Caller, ControlDeps } from '../control-deps.ts';
import { readConsoleCookie } from './console-settings.ts';
import { requireOwnPage } from './own-page.ts';

/** Null without a cookie. Throws `foreign_origin`, `misdirected`, `login_required` or `not_allowed`. */
export async function consoleCaller(
  deps: Pick<ControlDeps, 'store' | 'settings'>,
  request: HonoRequest,
  { address, requestId }: AskedBy,
): Promise<Caller | null> {
  const token = sessionToken(deps, request);
  if (token === null) return null;
  requireOwnPage(request, deps.settings().console.publicUrl);
  const { member } = await requireSession(deps, token);
  return {
    accountId: member.accountId,
    role: member.role,
    scope: 'full',
    actor: `member:${member.id}`,
    keyId: null,
    keyExpiresAt: null,
    memberId: member.id,
    address,
    requestId,
  };
}

export function sessionToken({ settings }: Pick<ControlDeps, 'settings'>, request: HonoRequest) {
  const value = readConsoleCookie(settings().console, 'svc-control', request.header('cookie'));
  return value === null ? null : new Secret(value);
}

/** Throws `login_required` when it is over, and when its provider is another by now; `not_allowed` for a suspended account. */
export async function requireSession(
  { store, settings }: Pick<ControlDeps, 'store' | 'settings'>,
  token: Secret,
): Promise<ConsoleSession> {
  const session = await store.consoleSessions.find(secretHash(token));
  const provider = session === null ? undefined : settings().console.findProvider(session.provider);
  if (session === null || provider?.generation !== session.generation)
    throw new ServiceError('login_required', 'Cannot authorize the call: the login is over', {
      hint: 'Log in again at /auth/login.',
    });
  if (session.accountSuspended)
    throw new ServiceError('not_allowed', 'Cannot authorize the call: the account is suspended');
  return session;
}
