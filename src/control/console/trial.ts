// GET /auth/trial?provider=NAME: an admin logs in at a provider to see what it says. It starts on a page of
// our own alone, for a provider that the admin's account may use, and is bound to the console session that
// started it.

import { Secret, shortHash } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Answer } from '../../http/answer.ts';
import { loginUrl } from '../../login/login-url.ts';
import { sealTrialRequest } from '../../login/trial-target.ts';
import { authorize } from '../authorize.ts';
import type { Caller, ControlDeps } from '../control-deps.ts';
import { unknownProvider } from '../providers/find.ts';
import { sessionCaller } from './console-caller.ts';
import { readConsoleCookie } from './console-settings.ts';
import type { ConsoleVisit } from './console-visit.ts';
import { requireAccountOfPage, requireCertificateOf } from '../who-calls.ts';

/** Throws `login_required`, `not_allowed`, and `provider_unknown` for what the account may not use. */
export async function startTrial(deps: ControlDeps, visit: ConsoleVisit): Promise<Answer> {
  const { caller, bindingHash } = await trialCaller(deps, visit);
  const name = visit.query.get('provider') ?? '';
  // What was defined at another gateway a moment ago can be tried.
  await deps.caughtUp();
  const { console, endpointUrl, providersOf } = deps.settings();
  if (!providersOf(caller.accountId).some((provider) => provider.name === name)) throw unknownProvider(name);
  const request = sealTrialRequest(console.seal, {
    providerName: name,
    bindingHash,
    expiresAt: deps.now() + console.intermediateLifetimeMs,
  });
  return {
    status: 302,
    headers: [
      ['location', loginUrl(endpointUrl, name, request)],
      ['referrer-policy', 'no-referrer'],
    ],
    body: null,
  };
}

/**
 * Who is logged in to the console in this browser, and may try providers; with what a trial of theirs is
 * bound to.
 */
export async function trialCaller(
  deps: ControlDeps,
  visit: ConsoleVisit,
): Promise<{ readonly caller: Caller; readonly bindingHash: string }> {
  const value = readConsoleCookie(deps.settings().console, 'svc-control', visit.cookie);
  if (value === null)
    throw new ServiceError('login_required', 'Cannot test a provider: this browser is not logged in');
  const caller = authorize(await sessionCaller(deps, new Secret(value), visit), 'providers.test');
  requireAccountOfPage(visit.query.get('account') ?? undefined, { caller });
  await requireCertificateOf(deps, visit, caller.accountId);
  return { caller, bindingHash: shortHash(value) };
}
