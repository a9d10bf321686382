// What a callback that failed leaves behind: an event, where the attempt was one of ours, and a page that
// says why.

import { type Actor, SYSTEM } from '../domain/actor.ts';
import type { Identity } from '../domain/identity.ts';
import type { FaultCode, ServiceError } from '../domain/service-error.ts';
import type { Answer } from '../http/answer.ts';
import type { Provider } from '../providers/provider.ts';
import { type FaultPage, faultPage, identityDetails } from './answers.ts';
import { eventOf } from './audit.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import type { AttemptTarget } from './login-target.ts';
import { askAction } from './access-statement.ts';
import { openShareAction, otherAccountUrl, otherProviderActions } from './share-for-login.ts';
import { ruleRefusingLogin } from '../domain/refusing-rule.ts';

/** What is known by the time something fails. `known`: whether the attempt was one of ours. */
export type Progress = {
  known: boolean;
  target: AttemptTarget;
  spent: readonly string[];
  identity: Identity | null;
};

/** The callback as far as it got. */
export type CallbackStep = {
  readonly deps: LoginDeps;
  readonly provider: Provider;
  readonly request: LoginHttpRequest;
  readonly progress: Progress;
};

export function recordFailure(
  { deps, provider, request, progress }: CallbackStep,
  error: ServiceError,
): void {
  if (!progress.known) return;
  const event = eventOf(deps, request, {
    kind: REFUSALS.has(error.code) ? 'login.refused' : 'login.failed',
    provider: provider.name,
    shareId: progress.target !== null && 'shareId' in progress.target ? progress.target.shareId : null,
    email: progress.identity?.email,
    actor: unverifiedPerson(error),
    reason: error.code,
    rule: error.code === 'rule_refused' ? refusedBy(deps, provider, progress) : null,
  });
  (deps.auditFailure ?? deps.audit)(event);
}

function refusedBy(deps: LoginDeps, provider: Provider, { target, identity }: Progress): string | null {
  if (identity === null || target === null || !('shareId' in target)) return null;
  const share = deps.findShare(target.shareId);
  if (share === undefined) return null;
  const { email, facts } = identity;
  return ruleRefusingLogin(share, { provider: provider.name, email, facts: facts ?? null });
}

/**
 * In `email` are addresses that a provider vouches for, and no other: whoever searches for a person finds
 * what that person did.
 */
function unverifiedPerson({ extra: { unverifiedEmail: email } }: ServiceError): Actor {
  return typeof email === 'string' ? { kind: 'unverified', email } : SYSTEM;
}

export function failurePage(
  { deps, provider, request, progress }: CallbackStep,
  error: ServiceError,
): Answer {
  const { target, spent, identity } = progress;
  const another = {
    label: 'Use another account',
    href: otherAccountUrl(deps, provider, target),
    primary: true,
  };
  return faultPage(deps, request, {
    error,
    target,
    cookies: spent,
    actions: REFUSALS.has(error.code)
      ? [
          another,
          ...otherProviderActions(deps, provider, target),
          ...askActions(deps, provider, { target, identity, error }),
        ]
      : openShareAction(deps, target),
    details: [...(identity === null ? [] : identityDetails(deps, identity)), ...sizeDetails(error)],
  });
}

type Failed = Pick<Progress, 'target' | 'identity'> & { readonly error: ServiceError };

/** Whoever was refused by the share's rules alone can ask to be let in, where the share takes that. */
function askActions(
  deps: LoginDeps,
  provider: Provider,
  { target, identity, error }: Failed,
): FaultPage['actions'] & object {
  if (error.code !== 'email_refused' && error.code !== 'rule_refused') return [];
  if (identity === null || target === null || !('shareId' in target)) return [];
  const share = deps.findShare(target.shareId);
  if (share === undefined || !share.enabled) return [];
  const { endpointUrl } = deps.oauth;
  const person = { email: identity.email, facts: identity.facts ?? null };
  return askAction({ seal: deps.seal, endpointUrl, now: deps.now() }, { share, provider, person });
}

function sizeDetails({ extra: { tooLarge } }: ServiceError): FaultPage['details'] & object {
  return typeof tooLarge === 'string' ? [{ label: 'Too large', value: tooLarge }] : [];
}

/** The person is known and may not come in; another account might. */
const REFUSALS: ReadonlySet<FaultCode> = new Set([
  'email_refused',
  'rule_refused',
  'email_unusable',
  'email_unverified',
  'account_unverified',
  'access_denied',
  'acr_unmet',
  'login_too_old',
]);
