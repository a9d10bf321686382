// Checks a session with its provider when the check interval is reached (contract 3; DESIGN "Check
// interval").
//
//   lease ──▶ refresh ──▶ store the new tokens ──▶ identify ──▶ checked
//     │          │ token refused ─▶ ended              │ other subject, other or refused email ─▶ ended
//     │          └ away, 5xx, 429, timeout ─▶ unavailable, and the provider is left alone for a pause (backoff.ts)
//     │                                                └ away ─▶ unavailable, tokens kept, and used at the next try; this session
//     │                                                          alone is left alone, and the provider after several people's
//     └ held by another gateway ─▶ wait for its result
//
// Tokens are stored before they are used, so a crash after that loses nothing. A crash between the provider's
// answer and the store leaves the former refresh token: it works within the provider's grace, else it is
// `invalid_grant` and the visitor logs in again. Discovery, refresh and identify have one deadline together,
// well before the lease ends, so that no second gateway begins while the first still waits for the provider;
// the rest of the lease is for storing. A new refresh token is stored even when the rest of the provider's
// answer cannot be verified, as while its keys do not come. The cookie cannot change without the visitor, and
// the identity header must carry the provider's address: so an email that changed ends the session, matching
// or not, and the next login brings the new one.

import { setTimeout as wait } from 'node:timers/promises';

import { sinceCheck } from '../domain/decision.ts';
import type { SessionId } from '../domain/id.ts';
import type { Identity } from '../domain/identity.ts';
import { loginRefusal } from '../domain/login-admission.ts';
import type { Secret } from '../domain/secret.ts';
import { askedPauseMs, providerTrouble } from '../domain/provider-trouble.ts';
import { asServiceError, ServiceError } from '../domain/service-error.ts';
import type { SessionState } from '../domain/session.ts';
import { NO_FACTS, type SessionFacts } from '../domain/session-facts.ts';
import type { Share, ShareLogin } from '../domain/share.ts';
import type { Provider, Tokens } from '../providers/provider.ts';
import type { SessionLease, SessionRow, StoredTokens } from '../store/sessions/session.ts';
import { sessionEventOf, tellAudited } from './audit.ts';
import { type Backoff, createBackoff } from './backoff.ts';
import { logFault } from './fault-log.ts';
import type { LoginDeps } from './login-deps.ts';
import { createPersonFailures, type PersonFailures } from './person-failures.ts';
import { revokeQuietly } from './revoke.ts';

export type RecheckDeps = Pick<
  LoginDeps,
  'sessions' | 'provider' | 'findShare' | 'audit' | 'audited' | 'now' | 'log' | 'places'
> & {
  /** Between two looks at a session that another gateway checks; the real clock unless said. */
  readonly pause?: (ms: number) => Promise<unknown>;
  /** Aborted after so many milliseconds; the real clock unless said. */
  readonly timeLimit?: (ms: number) => AbortSignal;
  /** From 0 to 1; the real one unless said. */
  readonly random?: () => number;
};

type RecheckAnswer =
  /** As it is after the check: checked, ended, or null when there is no such session. */
  | { readonly kind: 'session'; readonly state: SessionState | null }
  /** The check could not be made: provider or store do not answer. The session is as it was. */
  | { readonly kind: 'unavailable' };

export type Recheck = (id: SessionId) => Promise<RecheckAnswer>;

/**
 * One check per session at a time: callers join the one that runs, or hear of one that just failed. A
 * provider that does not answer is left alone for a while by all its sessions. Never rejects.
 */
export function createRecheck(given: RecheckDeps): Recheck {
  const { now, random = Math.random } = given;
  const deps = {
    ...given,
    providers: createBackoff(now, random),
    tries: createBackoff(now, random),
    people: createPersonFailures(),
  };
  const running = new Map<SessionId, Promise<RecheckAnswer>>();
  const run = async (id: SessionId): Promise<RecheckAnswer> => {
    const answer = await safely(deps, id);
    running.delete(id);
    if (answer.kind === 'session') deps.tries.worked(id);
    return answer;
  };
  return (id) => {
    const under = running.get(id);
    if (under !== undefined) return under;
    if (!deps.tries.mayTry(id)) return Promise.resolve(UNAVAILABLE);
    const check = run(id);
    running.set(id, check);
    return check;
  };
}

/** With what is known of failures: by the provider's generation, and by session. */
type Deps = RecheckDeps & {
  readonly providers: Backoff;
  readonly tries: Backoff;
  readonly people: PersonFailures;
};

async function safely(deps: Deps, id: SessionId): Promise<RecheckAnswer> {
  try {
    return await checkOrWait(deps, id);
  } catch (error) {
    logFault(deps.log, { act: 'session check', sessionId: id }, asServiceError(error));
    deps.tries.rest(id);
    return UNAVAILABLE;
  }
}

/**
 * Takes the lease, or watches the session until its holder is done; the lease of a holder that died is taken
 * over.
 */
async function checkOrWait(deps: Deps, id: SessionId): Promise<RecheckAnswer> {
  const before = await deps.sessions.find(id);
  if (before === null) return { kind: 'session', state: null };
  const { pause = wait, timeLimit = (ms) => AbortSignal.timeout(ms) } = deps;
  for (let waitedMs = 0; waitedMs <= LEASE_MS; waitedMs += POLL_MS) {
    // They begin before the lease does, so they end before it, too.
    const limits = { ask: timeLimit(ASK_LIMIT_MS), store: timeLimit(STORE_LIMIT_MS) };
    const lease = await deps.sessions.lease(id, LEASE_MS);
    if (lease !== null) return checkUnderLease(deps, lease, limits);
    const row = await deps.sessions.find(id);
    const isOver = row === null || row.endedAt !== null || row.expiresAt <= deps.now();
    if (isOver || row.checkedAt !== before.checkedAt) return asItIs(deps, id);
    await pause(POLL_MS);
  }
  deps.tries.rest(id);
  return UNAVAILABLE;
}

/** Until when the provider may be asked, and until when its new tokens may be stored. */
type Limits = { readonly ask: AbortSignal; readonly store: AbortSignal };

async function checkUnderLease(deps: Deps, lease: SessionLease, limits: Limits): Promise<RecheckAnswer> {
  const { row } = lease;
  const share = deps.findShare(row.shareId);
  const login = share?.login ?? null;
  const provider = deps.provider(row.providerName);
  if (share === undefined || login === null || provider === undefined || !isDue(row, login, deps.now()))
    return giveBack(deps, lease);
  if (provider.generation !== row.providerGeneration)
    return end(deps, row, { reason: 'provider_changed', owesTokens: true });
  if (lease.tokens.refreshToken === null) return giveBack(deps, lease);
  if (provider.refresh === undefined) return forgetRefresh(deps, lease);
  const leave = deps.providers.mayTry(provider.generation)
    ? await deps.places?.forCheck(provider, row.subject, limits.ask).catch(() => null)
    : null;
  if (leave === null) {
    deps.tries.rest(row.id);
    await deps.sessions.release(lease);
    return UNAVAILABLE;
  }
  const asked: Asked = { withTokenOfPerson: false };
  try {
    const answer = await askProvider({ deps, lease, limits, share, provider, asked });
    deps.providers.worked(provider.generation);
    deps.people.worked(provider.generation);
    return answer;
  } catch (thrown) {
    const error = asServiceError(thrown);
    if (asked.withTokenOfPerson) leavePersonAlone(deps, row, error);
    else leaveAlone(deps, row, error);
    logFault(deps.log, { act: 'session check', sessionId: row.id, provider: row.providerName }, error);
    deps.audit(sessionEventOf(deps, null, { kind: 'session.refresh_failed', reason: error.code, row }));
    await deps.sessions.release(lease);
    return UNAVAILABLE;
  } finally {
    leave?.();
  }
}

/** What a provider answers wrongly about one person says nothing of others; no answer does. */
function leaveAlone(deps: Deps, { id, providerGeneration }: SessionRow, error: ServiceError): void {
  const trouble = providerTrouble(error.code);
  if (trouble === 'away') {
    deps.providers.failed(providerGeneration, askedPauseMs(error));
    deps.tries.rest(id);
  } else if (trouble === 'wrong') {
    deps.providers.worked(providerGeneration);
    deps.tries.failed(id, 0);
  } else deps.tries.rest(id);
}

/**
 * What a provider answers to one person's token holds up this session alone, until several people in a row
 * heard the same.
 */
function leavePersonAlone(deps: Deps, row: SessionRow, error: ServiceError): void {
  if (providerTrouble(error.code) !== 'away') return leaveAlone(deps, row, error);
  deps.tries.failed(row.id, askedMs(error));
  if (deps.people.failed(row.providerGeneration, row.subject))
    deps.providers.failed(row.providerGeneration, 0);
}

function askedMs({ extra: { retryAfterSeconds } }: ServiceError): number {
  return typeof retryAfterSeconds === 'number' ? retryAfterSeconds * 1000 : 0;
}

/** With what the provider was asked last: our own credentials, or a token of the person. */
type Asked = { withTokenOfPerson: boolean };

type Check = {
  readonly deps: Deps;
  readonly lease: SessionLease;
  readonly limits: Limits;
  readonly share: Share;
  readonly provider: Provider;
  readonly asked: Asked;
};

async function askProvider(check: Check): Promise<RecheckAnswer> {
  const { deps, lease, limits, provider } = check;
  const { row } = lease;
  const atHand = await withTokensAtHand(check);
  if (atHand !== null) return atHand;
  check.asked.withTokenOfPerson = false;
  const keep = (refreshToken: Secret) => storeOrRetry(check, { ...lease.tokens, refreshToken });
  const fresh = (await provider.refresh?.(lease.tokens, limits.ask, keep)) ?? null;
  if (fresh === null) return end(deps, row, { reason: 'invalid_grant' });
  if ('refused' in fresh) {
    // Never stored, never used: they are somebody else's, or of another login.
    const answer = await end(deps, row, { reason: fresh.refused });
    await revokeQuietly(provider, [fresh.tokens, lease.tokens], deps.log);
    return answer;
  }
  const tokens = { ...withKept(fresh, lease.tokens), refreshedAt: deps.now() };
  if (!(await storeOrRetry(check, tokens))) return asItIs(deps, row.id);
  return judge(check, tokens, await identityOrRefusal(check, tokens));
}

/**
 * The last check refreshed, and then the provider did not say who it is: what was given then proves as much
 * as a further refresh, and asks for less. Null when there is nothing such, or the provider does not take it
 * any more.
 */
async function withTokensAtHand(check: Check): Promise<RecheckAnswer | null> {
  const { deps, lease } = check;
  const { tokens, row } = lease;
  const { refreshedAt = null } = tokens;
  if (refreshedAt === null || refreshedAt <= row.checkedAt) return null;
  if (!isWithin(deps.now() - refreshedAt, AT_HAND_MS)) return null;
  try {
    return await judge(check, tokens, await identityOrRefusal(check, tokens));
  } catch (error) {
    if (asServiceError(error).code === 'provider_error') return null;
    throw error;
  }
}

/** The session goes on with what the provider says now, or ends. */
async function judge(check: Check, tokens: StoredTokens, found: Identity | string): Promise<RecheckAnswer> {
  const { deps, lease, share } = check;
  const { row } = lease;
  if (typeof found === 'string') return refuse(check, tokens, found);
  const reason = whyOver(found, share, row);
  if (reason !== null) return refuse(check, tokens, reason);
  const { groupsFault } = found;
  // The person loses what groups let them do, and only the log says why.
  if (groupsFault !== undefined)
    logFault(deps.log, { act: 'session check', sessionId: row.id, provider: row.providerName }, groupsFault);
  const event = sessionEventOf(deps, null, { kind: 'session.refreshed', row });
  const state = await deps.sessions.checked(lease, { event, facts: factsOf(found, lease) });
  if (state === null) return asItIs(deps, row.id);
  deps.audited(event);
  return { kind: 'session', state };
}

async function refuse(
  { deps, lease, provider }: Check,
  tokens: StoredTokens,
  reason: string,
): Promise<RecheckAnswer> {
  const answer = await end(deps, lease.row, { reason });
  await revokeQuietly(provider, [tokens], deps.log);
  return answer;
}

/**
 * A provider that rotates takes the former token for stolen from now on, so what it gave is not thrown away
 * because the store is away for a moment. False when the lease was lost.
 */
async function storeOrRetry({ deps, lease, limits }: Check, tokens: StoredTokens): Promise<boolean> {
  const { pause = wait } = deps;
  for (;;)
    try {
      return await deps.sessions.storeTokens(lease, tokens);
    } catch (thrown) {
      if (limits.store.aborted || asServiceError(thrown).code !== 'store_unavailable') throw thrown;
      await pause(POLL_MS);
    }
}

/**
 * Groups and claims as they are now; how somebody logged in stays what it was where nothing new is said of it
 * (Core section 12.2).
 */
function factsOf({ facts = NO_FACTS }: Identity, { facts: former = NO_FACTS }: SessionLease): SessionFacts {
  const { acr, amr, authTime } = facts;
  return {
    ...facts,
    acr: acr ?? former.acr,
    amr: amr.length > 0 ? amr : former.amr,
    authTime: authTime ?? former.authTime,
  };
}

/** Why the session must end with what the provider says now; null when all is as it was. */
function whyOver(found: Identity, share: Share, row: SessionRow): string | null {
  if (found.subject !== row.subject) return 'subject_changed';
  if (found.email !== row.email) return 'email_changed';
  return loginRefusal(share, { ...found, provider: row.providerName });
}

/** The provider's own refusal of the person is an answer; anything else that fails may pass. */
async function identityOrRefusal(
  { provider, limits, asked }: Check,
  tokens: Tokens,
): Promise<Identity | string> {
  asked.withTokenOfPerson = true;
  try {
    return await provider.identify(tokens, limits.ask);
  } catch (error) {
    if (error instanceof ServiceError && REFUSALS.has(error.code)) return error.code;
    throw error;
  }
}

async function end(
  deps: Deps,
  row: SessionRow,
  { reason, owesTokens = false }: { readonly reason: string; readonly owesTokens?: boolean },
): Promise<RecheckAnswer> {
  const events = new Map([[row.id, sessionEventOf(deps, null, { kind: 'session.ended', reason, row })]]);
  const ended = await deps.sessions.end([row.id], { reason, owesTokens, at: deps.now(), events });
  tellAudited(deps, ended, events);
  return asItIs(deps, row.id);
}

/** The provider no longer refreshes: from now on the session says so, and its next check is a login. */
async function forgetRefresh(deps: Deps, lease: SessionLease): Promise<RecheckAnswer> {
  await deps.sessions.storeTokens(lease, { ...lease.tokens, refreshToken: null });
  return giveBack(deps, lease);
}

async function giveBack(deps: Deps, lease: SessionLease): Promise<RecheckAnswer> {
  await deps.sessions.release(lease);
  return asItIs(deps, lease.row.id);
}

async function asItIs(deps: Deps, id: SessionId): Promise<RecheckAnswer> {
  return { kind: 'session', state: await deps.sessions.state(id) };
}

/** A clock that was set back must not make tokens fresher. */
function isWithin(passedMs: number, limitMs: number): boolean {
  return passedMs >= 0 && passedMs < limitMs;
}

/** A request that was decided on before the last check must not cause another. */
function isDue(row: SessionRow, login: ShareLogin, now: number): boolean {
  return sinceCheck(row, now) >= login.checkIntervalMs * DUE_SHARE;
}

/** RFC 6749 section 6: an answer without a refresh token leaves the former one in force. */
function withKept(fresh: Tokens, former: StoredTokens): StoredTokens {
  return {
    accessToken: fresh.accessToken,
    refreshToken: fresh.refreshToken ?? former.refreshToken,
    idToken: fresh.idToken ?? former.idToken,
    idTokenIsNew: fresh.idToken !== null && fresh.idTokenIsNew === true,
    subject: fresh.subject ?? former.subject,
  };
}

/** For the retries of a check: access tokens live for minutes at least. */
const AT_HAND_MS = 5 * 60 * 1000;
const UNAVAILABLE: RecheckAnswer = { kind: 'unavailable' };
const REFUSALS: ReadonlySet<string> = new Set([
  'email_unusable',
  'email_unverified',
  'account_unverified',
  'access_denied',
  'subject_changed',
]);
const LEASE_MS = 15_000;
/** Discovery, refresh in either way of client authentication, and identify, all together. */
const ASK_LIMIT_MS = 10_000;
/** A second before the lease ends nothing new is tried, so that a last try is still made under it. */
const STORE_LIMIT_MS = 14_000;
/** A visitor waits for this at worst once another gateway is done. */
const POLL_MS = 250;
/** The gate starts checks at 90 % of the interval; half of it leaves room for clocks that differ. */
const DUE_SHARE = 0.5;
