// Who is behind the cookie: a member, an API key that a person typed in, or somebody who is no member.
// Whatever changed since (the member, the key, the account, the provider) counts at once, since everything is
// looked up at each call.

import type { HonoRequest } from 'hono';
import type { AccountId } from '../../domain/id.ts';
import { countsAt, isVerifiedEnough, type ProviderRef } from '../../domain/provider-ref.ts';
import { Secret, secretHash } from '../../domain/secret.ts';
import { loginRights } from '../../domain/role.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { ConsoleSession, MemberSession } from '../../store/people/console-session.ts';
import type { KnownApiKey } from '../../store/people/people.ts';
import type { AskedBy, Authenticated, Caller, ControlDeps } from '../control-deps.ts';
import { readConsoleCookie } from './console-settings.ts';
import { operatesNow, ownerNow } from './owner-now.ts';
import { requireOwnPage } from './own-page.ts';

type CallerDeps = Pick<ControlDeps, 'store' | 'settings' | 'owedConsoleEnds'>;

/** Null without a cookie. Throws `foreign_origin`, `misdirected`, `login_required` or `not_allowed`. */
export async function consoleCaller(
  deps: CallerDeps,
  request: HonoRequest,
  asked: AskedBy,
): Promise<Authenticated | null> {
  const token = sessionToken(deps, request);
  if (token === null) return null;
  requireOwnPage(request, deps.settings().console.publicUrl);
  const session = await requireSession(deps, token);
  const { console } = deps.settings();
  const me = session.kind === 'key' ? null : ownerNow(console, session, asked);
  return { caller: callerOf(session, token, asked), me, operates: operatesNow(console, me) };
}

/**
 * Whose session it is, whichever page asked: for what a login at a provider comes back to. Throws as
 * `consoleCaller` does.
 */
export async function sessionCaller(deps: CallerDeps, token: Secret, asked: AskedBy): Promise<Caller> {
  const caller = callerOf(await requireSession(deps, token), token, asked);
  if (caller !== null) return caller;
  throw new ServiceError('not_allowed', 'Cannot make this call: you are not a member of an account');
}

function callerOf(session: ConsoleSession, token: Secret, asked: AskedBy): Caller | null {
  switch (session.kind) {
    case 'visitor':
      return null;
    case 'key':
      return keyCaller(session.key, asked);
    case 'member':
      return memberCaller(session, secretHash(token), asked);
  }
}

function memberCaller(
  { member }: MemberSession,
  sessionHash: string,
  { address, requestId }: AskedBy,
): Caller {
  return {
    accountId: member.accountId,
    ...loginRights(member.role),
    actor: { kind: 'member', id: member.id },
    keyId: null,
    keyExpiresAt: null,
    keyLogin: null,
    sessionHash,
    memberId: member.id,
    address,
    requestId,
  };
}

/** A key, however it came. */
export function keyCaller(key: KnownApiKey, { address, requestId }: AskedBy): Caller {
  return {
    accountId: key.accountId,
    role: key.role,
    scope: key.scope,
    actor: { kind: 'key', id: key.id },
    keyId: key.id,
    keyExpiresAt: key.expiresAt,
    keyLogin: key.login,
    sessionHash: null,
    memberId: key.memberId,
    address,
    requestId,
  };
}

export function sessionToken({ settings }: Pick<ControlDeps, 'settings'>, request: HonoRequest) {
  const value = readConsoleCookie(settings().console, 'svc-control', request.header('cookie'));
  return value === null ? null : new Secret(value);
}

/**
 * Throws `login_required` when it is over, and when its provider as it is now asks for another login;
 * `not_allowed` for a suspended account.
 */
export async function requireSession(deps: CallerDeps, token: Secret): Promise<ConsoleSession> {
  const hash = secretHash(token);
  const session = await countingSession(deps, hash);
  if (session === null)
    throw new ServiceError('login_required', 'Cannot authorize the call: the login has ended', {
      hint: 'Log in again at /auth/login.',
    });
  if (isSuspended(session))
    throw new ServiceError('not_allowed', 'Cannot authorize the call: the account is suspended');
  deps.owedConsoleEnds.seen(hash);
  return session;
}

/** Null when it is over, and when its provider as it is now asks for another login. */
export async function countingSession(deps: CallerDeps, hash: string): Promise<ConsoleSession | null> {
  const session = deps.owedConsoleEnds.has(hash) ? null : await deps.store.consoleSessions.find(hash);
  return session !== null && countsAtProvider(deps, session) ? session : null;
}

/**
 * A key that came from a login at a provider counts as long as that login would. A provider that another
 * account defined since, by the same name, is none of this account's.
 */
export function keyCounts(
  findProvider: (name: string) => ProviderRef | undefined,
  { login, accountId }: Pick<KnownApiKey, 'login' | 'accountId'>,
): boolean {
  return login === null || countsAt(ofAccount(findProvider(login.provider), accountId), login);
}

/** Undefined when it is another account's (DESIGN "Who may use which provider"). */
function ofAccount(provider: ProviderRef | undefined, accountId: AccountId): ProviderRef | undefined {
  const isTheirs = provider?.accountId === null || provider?.accountId === accountId;
  return isTheirs ? provider : undefined;
}

/**
 * As the provider is now: another one ends the session, and so does one that asks for a verified address that
 * was not shown.
 */
function countsAtProvider({ settings }: Pick<ControlDeps, 'settings'>, session: ConsoleSession): boolean {
  if (session.kind === 'key') return keyCounts(settings().console.findProvider, session.key);
  const isMember = session.kind === 'member';
  const { provider: name, generation } = isMember ? session : session.person;
  const found = settings().console.findProvider(name);
  const provider = isMember ? ofAccount(found, session.member.accountId) : found;
  if (provider?.generation !== generation) return false;
  return (isMember || provider.accountId === session.within) && isVerifiedEnough(provider, session.person);
}

/**
 * A visitor is of no account: of one that is suspended nothing is shown, and its own provider is none any
 * more.
 */
function isSuspended(session: ConsoleSession): boolean {
  switch (session.kind) {
    case 'visitor':
      return false;
    case 'key':
      return session.key.accountSuspended;
    case 'member':
      return session.accountSuspended;
  }
}
