// `GET /<provider>/login`: opens the gate's sealed request, begins an attempt, sends the browser to the
// provider (contract 5.1 point 3; RFC 6749 section 4.1.1). What was not sealed here starts nothing: no open
// redirector.

import { asServiceError, ServiceError } from '../domain/service-error.ts';
import type { Answer } from '../http/answer.ts';
import type { PageAction } from '../http/page-html.ts';
import type { Provider } from '../providers/provider.ts';
import { faultPage, redirectAnswer } from './answers.ts';
import { attemptCookies, newAttempt } from './attempt.ts';
import { knownBrowser } from './browser-cookie.ts';
import { openConsoleRequest, type ConsoleRequest } from './console-target.ts';
import { logFault } from './fault-log.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import { openLoginRequest, type LoginRequest } from './login-request.ts';
import { redirectUri } from './login-url.ts';
import { openShareAction, otherProviderActions, shareForLogin } from './share-for-login.ts';
import { trialFault, trialOutcomeAnswer } from './trial-outcome.ts';
import { openTrialRequest, type TrialRequest } from './trial-target.ts';
import { isTrialTarget, strengthOf, type TrialTarget } from './login-target.ts';

export async function start(deps: LoginDeps, provider: Provider, request: LoginHttpRequest): Promise<Answer> {
  const sealed = request.query.get('request');
  if (sealed === null) return begin(deps, provider, { request, wanted: null });
  const wanted =
    openLoginRequest(deps.seal, sealed) ??
    openConsoleRequest(deps.seal, sealed) ??
    openTrialRequest(deps.seal, sealed);
  if (wanted === null || wanted.providerName !== provider.name)
    throw new ServiceError(
      'request_invalid',
      'Cannot log in: the request was not made here for this provider',
    );
  try {
    if (deps.now() >= wanted.expiresAt)
      throw new ServiceError('request_expired', 'Cannot log in: the request is too old');
    if ('shareId' in wanted) shareForLogin(deps, provider, wanted.shareId);
  } catch (error) {
    return faultPage(deps, request, { error, actions: openShareAction(deps, wanted), target: wanted });
  }
  return begin(deps, provider, { request, wanted });
}

type Start = {
  readonly request: LoginHttpRequest;
  readonly wanted: LoginRequest | ConsoleRequest | TrialRequest | null;
};

async function begin(deps: LoginDeps, provider: Provider, { request, wanted }: Start): Promise<Answer> {
  const { attempt, state } = newAttempt(deps, provider, wanted);
  try {
    if (provider.isDown?.() === true && !isTrialTarget(wanted) && !request.query.has(ANYWAY))
      throw new ServiceError('provider_unreachable', `Cannot log in: ${provider.name} did not answer lately`);
    const url = await provider.authorizeUrl({
      redirectUri: redirectUri(deps.oauth.endpointUrl, provider.name),
      state,
      nonce: attempt.nonce,
      codeVerifier: attempt.codeVerifier,
      strength: strengthOf(provider, attempt.target),
      selectAccount: wanted?.selectAccount === true || request.query.has('prompt'),
    });
    return redirectAnswer(url.href, [
      ...knownBrowser(deps.oauth, request.cookies).cookies,
      ...attemptCookies(deps, { attempt, state }, request.cookies),
    ]);
  } catch (error) {
    if (isTrialTarget(wanted)) return notStarted(deps, provider, { request, target: wanted, error });
    const actions = [...againActions(provider, request), ...otherProviderActions(deps, provider, wanted)];
    return faultPage(deps, request, { error, actions, target: wanted });
  }
}

/** Who wants to go to a provider that seems to be down may: it may be back, or be down from here alone. */
function againActions(
  provider: Provider,
  { path, rawQuery, query }: LoginHttpRequest,
): readonly PageAction[] {
  const again: PageAction = { label: 'Try again', href: `${path}?${rawQuery}`, primary: true };
  if (provider.isDown?.() !== true || query.has(ANYWAY)) return [again];
  const separator = rawQuery === '' ? '' : '&';
  const href = `${path}?${rawQuery}${separator}${ANYWAY}=yes`;
  return [again, { label: 'Log in anyway', href, primary: false }];
}

type NotStarted = {
  readonly request: LoginHttpRequest;
  readonly target: TrialTarget;
  readonly error: unknown;
};

/** A provider that cannot even be asked is what a trial is to find out. */
function notStarted(deps: LoginDeps, provider: Provider, { request, target, error }: NotStarted): Answer {
  const fault = asServiceError(error);
  logFault(deps.log, { act: 'login', requestId: request.requestId, path: request.path }, fault);
  return trialOutcomeAnswer(deps, { provider, target, found: trialFault(provider, fault), cookies: [] });
}

const ANYWAY = 'anyway';
