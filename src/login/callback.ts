// `GET /<provider>/auth/callback` (contract 4.1, 5.1 points 5 to 8): takes the attempt of this browser, uses
// it up, exchanges the code, reads who it is, and makes the session. Each step that fails leaves nothing
// behind: tokens that no session keeps are revoked. Nothing in the address is believed before the state is
// known to be this browser's.

import { parseEmailAddress } from '../domain/email-address.ts';
import type { Identity } from '../domain/identity.ts';
import { loginProviders, loginRefusal } from '../domain/login-admission.ts';
import { strengthFault } from '../domain/login-strength.ts';
import { asServiceError, ServiceError, type FaultCode } from '../domain/service-error.ts';
import type { Session } from '../domain/session.ts';
import type { Answer } from '../http/answer.ts';
import type { CallbackResponse, Provider, Tokens } from '../providers/provider.ts';
import { isConsoleTarget, type LoginTarget, isTrialTarget, type TrialTarget } from './login-target.ts';
import { redirectAnswer, loggedInPage } from './answers.ts';
import { findAttempt, spentAttemptCookie, type LoginAttempt } from './attempt.ts';
import { recordEvent } from './audit.ts';
import { beginUrl } from './begin-grant.ts';
import { beginSession } from './begin-session.ts';
import { browserHash } from './browser-cookie.ts';
import { isOwnDoing, refuseWhenBlocked } from './callback-limit.ts';
import { askConsent } from './consent.ts';
import { consoleGrantAnswer } from './console-grant.ts';
import { logFault } from './fault-log.ts';
import { keepsOwnCookie } from './host-session-cookie.ts';
import { lastProviderCookies } from './last-providers.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import { redirectUri } from './login-url.ts';
import { type CallbackStep, failurePage, type Progress, recordFailure } from './callback-failure.ts';
import { safeReturnUrl } from './return-url.ts';
import { revokeQuietly } from './revoke.ts';
import { shareForLogin } from './share-for-login.ts';
import { trialFault, trialOutcomeAnswer, type TrialFound } from './trial-outcome.ts';

export async function callback(
  deps: LoginDeps,
  provider: Provider,
  request: LoginHttpRequest,
): Promise<Answer> {
  if (!isKnownAttempt(deps, provider, request)) {
    refuseWhenBlocked(deps.limiter, request.ip);
    return completeOrTell(deps, provider, request);
  }
  const leave = await deps.places?.forLogin(provider, request.ip);
  try {
    return await completeOrTell(deps, provider, request);
  } finally {
    leave?.();
  }
}

async function completeOrTell(
  deps: LoginDeps,
  provider: Provider,
  request: LoginHttpRequest,
): Promise<Answer> {
  const progress: Progress = { known: false, target: null, spent: [], identity: null };
  try {
    return await complete({ deps, provider, request, progress });
  } catch (thrown) {
    const error = asServiceError(thrown);
    const isCounted = COUNTED.has(error.code);
    if (isCounted && isOwnDoing(request.headers)) deps.limiter?.failed(request.ip);
    const { target } = progress;
    // What the provider did is what a trial is to find out. An attempt that counts for nothing tells nothing.
    if (progress.known && !isCounted && error.code !== 'state_left' && isTrialTarget(target)) {
      logFault(deps.log, { act: 'login', requestId: request.requestId, path: request.path }, error);
      return trialEnd({ deps, provider, request, progress }, target, trialFault(provider, error));
    }
    recordFailure({ deps, provider, request, progress }, error);
    return failurePage({ deps, provider, request, progress }, error);
  }
}

/**
 * Whether this browser has begun it here, and it can still be completed: whatever others behind the same
 * address do, it is. One that is over or used up is nobody's login, so it counts as any other failure does.
 */
function isKnownAttempt(deps: LoginDeps, provider: Provider, { query, cookies }: LoginHttpRequest): boolean {
  const attempt = findAttempt(deps, query.get('state') ?? '', cookies);
  return (
    typeof attempt === 'object' &&
    !('left' in attempt) &&
    attempt.providerName === provider.name &&
    attempt.providerGeneration === provider.generation &&
    deps.now() < attempt.expiresAt &&
    deps.limiter?.isUsedUp(attempt.id) !== true
  );
}

async function complete(step: CallbackStep): Promise<Answer> {
  const { deps, provider, request, progress } = step;
  const state = request.query.get('state') ?? '';
  const attempt = await takeAttempt(step, state);
  const redirect = redirectUri(deps.oauth.endpointUrl, provider.name);
  const tokens = await exchange(step, {
    url: new URL(`${redirect}?${request.rawQuery}`),
    redirectUri: redirect,
    state,
    nonce: attempt.nonce,
    codeVerifier: attempt.codeVerifier,
  });
  try {
    progress.identity = usableIdentity(await provider.identify(tokens));
    requireStrength(step, attempt, progress.identity);
    if (attempt.target === null) return loggedIn(step, progress.identity);
    const { target, setOutAt } = attempt;
    if (isConsoleTarget(target)) {
      const { identity, spent: cookies } = progress;
      return consoleGrantAnswer(deps, { provider, identity, target, setOutAt, cookies });
    }
    // The control plane asks for no groups; whoever else is logged in is told why they are not known.
    if (progress.identity.groupsFault !== undefined) throw progress.identity.groupsFault;
    if (isTrialTarget(target)) {
      // Not revoked: at many providers that would end the sessions that the same person has elsewhere.
      const canRefresh = provider.refresh !== undefined && tokens.refreshToken !== null;
      return trialEnd(step, target, { ...progress.identity, kind: 'person', canRefresh });
    }
    return await admit(step, { tokens, identity: progress.identity, target, startedAt: setOutAt });
  } catch (error) {
    await revokeUnused(step, tokens);
    throw error;
  }
}

/** Anybody can begin a login and make up a code for it, so those that are worth nothing are counted. */
async function exchange(
  { deps, provider, request }: CallbackStep,
  response: CallbackResponse,
): Promise<Tokens> {
  try {
    return await provider.exchange(response);
  } catch (error) {
    if (asServiceError(error).code === 'provider_error') deps.places?.failed(provider, request.ip);
    throw error;
  }
}

/**
 * Tells the control plane, which tells who started the trial; writes nothing down here, and makes no session.
 */
function trialEnd(
  { deps, provider, progress }: CallbackStep,
  target: TrialTarget,
  found: TrialFound,
): Answer {
  return trialOutcomeAnswer(deps, { provider, target, found, cookies: progress.spent });
}

/**
 * Tokens that no session keeps are revoked. At many providers that takes the person's whole grant away, so
 * not while the same person is logged in elsewhere from this browser: that session would end at its next
 * check.
 */
async function revokeUnused(
  { deps, provider, request, progress }: CallbackStep,
  tokens: Tokens,
): Promise<void> {
  const browser = browserHash(deps.oauth, request.cookies);
  const living =
    browser === null ? [] : await deps.sessions.ofBrowser(browser, provider.name).catch(() => []);
  const subject = progress.identity?.subject ?? null;
  if (living.some(({ row }) => subject === null || row.subject === subject)) return;
  await revokeQuietly(provider, [tokens], deps.log);
}

/** The attempt of this browser, provider and state, used up: no second request gets past here with it. */
async function takeAttempt(
  { deps, provider, request, progress }: CallbackStep,
  state: string,
): Promise<LoginAttempt> {
  const attempt = findAttempt(deps, state, request.cookies);
  if (attempt === 'missing')
    throw new ServiceError('state_missing', 'Cannot complete the login: this browser has not started it');
  progress.known = attempt !== 'foreign';
  if (attempt !== 'foreign' && 'left' in attempt) {
    progress.target = attempt.left;
    throw new ServiceError(
      'state_left',
      'Cannot complete the login: newer ones of this browser took its place',
    );
  }
  if (
    attempt === 'foreign' ||
    attempt.providerName !== provider.name ||
    attempt.providerGeneration !== provider.generation
  )
    throw new ServiceError('state_foreign', 'Cannot complete the login: it was started elsewhere');
  progress.target = attempt.target;
  if (deps.now() >= attempt.expiresAt) {
    progress.spent = [spentAttemptCookie(deps, state)];
    throw new ServiceError('state_expired', 'Cannot complete the login: it was started too long ago');
  }
  // Of one that was used up here the store is not asked again: nothing bounds how often it comes.
  const first =
    deps.limiter?.isUsedUp(attempt.id) !== true &&
    (await deps.attempts.claim(attempt.id, attempt.expiresAt, attempt.setOutAt));
  deps.limiter?.usedUp(attempt.id);
  progress.spent = [spentAttemptCookie(deps, state)];
  if (!first) throw new ServiceError('state_replayed', 'Cannot complete the login: it was already used');
  return attempt;
}

/**
 * The provider judged the address already; one that no header or cookie could carry ends here whoever let it
 * pass.
 */
function usableIdentity(identity: Identity): Identity {
  const email = parseEmailAddress(identity.email);
  if (email !== null) return { ...identity, email };
  throw new ServiceError('email_unusable', 'Cannot log in: the provider sent no usable email address');
}

/** Contract 5.5: what was asked of the provider is what its answer must show. */
function requireStrength(
  { deps, provider }: CallbackStep,
  { target, expiresAt }: LoginAttempt,
  { facts }: Identity,
): void {
  const since = expiresAt - deps.oauth.intermediateLifetimeMs;
  const wanted = target !== null && 'strength' in target ? target.strength : undefined;
  for (const strength of [wanted, provider.strength]) {
    const fault = strength === undefined ? null : strengthFault(strength, facts, since);
    if (fault !== null)
      throw new ServiceError(
        fault,
        `Cannot log in: ${provider.name} does not show a login as strong as asked`,
      );
  }
}

function loggedIn({ deps, provider, request, progress }: CallbackStep, identity: Identity): Answer {
  recordEvent(deps, request, { kind: 'login.succeeded', provider: provider.name, email: identity.email });
  return loggedInPage(deps, request, { identity, cookies: progress.spent });
}

type Grant = {
  readonly tokens: Tokens;
  readonly identity: Identity;
  readonly target: LoginTarget;
  readonly startedAt: number;
};

/**
 * Contract 3, "Email validation": the share and its patterns are those of this moment, not of the login's
 * start.
 */
async function admit(step: CallbackStep, { tokens, identity, target, startedAt }: Grant): Promise<Answer> {
  const { deps, provider, request, progress } = step;
  const { share, login } = shareForLogin(deps, provider, target.shareId);
  const refused = loginRefusal(share, { ...identity, provider: provider.name });
  if (refused !== null)
    throw new ServiceError(refused, `Cannot log in: ${identity.email} is not allowed here`);
  const { checkIntervalMs } = login;
  const asked = await askConsent(deps, provider, {
    request,
    target,
    identity,
    tokens,
    startedAt,
    checkIntervalMs,
  });
  if (asked !== null) return redirectAnswer(asked.location, [...asked.cookies, ...progress.spent]);
  const begun = await beginSession(deps, request, {
    share,
    identity,
    provider,
    bindingHash: target.bindingHash,
    startedAt,
    // Without a way to use it, a refresh token would only make the session look like one that can be checked.
    tokens: provider.refresh === undefined ? { ...tokens, refreshToken: null } : tokens,
  });
  const returnUrl = safeReturnUrl(target.returnUrl, share, deps.shareBase);
  const location = confirmedAt(deps, { returnUrl, target, startedAt, session: begun.session });
  const last =
    loginProviders(share).length > 1 ? lastProviderCookies(deps.oauth, request.cookies, provider.name) : [];
  return redirectAnswer(location, [...begun.cookies, ...last, ...progress.spent]);
}

type Begun = Pick<Grant, 'target' | 'startedAt'> & {
  readonly returnUrl: string;
  readonly session: Session;
};

/**
 * By way of the share's own host, where this browser shows that it is the one that set out, and has what did
 * not fit of the address; not when it has neither a binding nor more of the address. Where the session
 * cookie does not reach, the host gets to set its own.
 */
function confirmedAt(deps: LoginDeps, { returnUrl, target, startedAt, session }: Begun): string {
  const { shareId, bindingHash, addressKey } = target;
  if (bindingHash === null && addressKey === null) return returnUrl;
  const isAway = bindingHash !== null && keepsOwnCookie(new URL(returnUrl).hostname, deps.oauth.cookieDomain);
  const grant = {
    sessionId: session.id,
    shareId,
    bindingHash,
    returnUrl,
    addressKey,
    setOutAt: startedAt,
    session: isAway ? session : null,
  };
  return beginUrl(deps.seal, grant, deps.now());
}

/** What guessing, replaying and forged answers look like. */
const COUNTED: ReadonlySet<FaultCode> = new Set([
  'state_missing',
  'state_foreign',
  'state_expired',
  'state_replayed',
]);
