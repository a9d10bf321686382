// The pages and calls of a login at the control plane, below /auth. They answer at its own host alone; pages
// for people, problem documents for programs.
//
//   /auth/login ──sealed request──▶ OAuth frontend ──▶ provider ──▶ OAuth frontend ──grant──▶ /auth/complete ──▶ cookie
//   /auth/invitation#… ──posts it──▶ sealed request, as from /auth/login
//   /auth/trial ──sealed request──▶ OAuth frontend ──▶ provider ──▶ OAuth frontend ──outcome──▶ /auth/trial/outcome ──▶ page

import type { Context } from 'hono';
import { purposeOf, refuseLookAhead } from '../../domain/look-ahead.ts';
import { requireSingleParameters } from '../../domain/single-parameters.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Answer } from '../../http/answer.ts';
import { faultAnswer } from '../../http/fault-answer.ts';
import { wantsPage } from '../../http/wants-page.ts';
import { COMPLETE_PATH } from '../../login/console-grant.ts';
import { TRIAL_OUTCOME_PATH } from '../../login/trial-outcome.ts';
import type { ControlApi, ControlDeps, ControlEnv } from '../control-deps.ts';
import type { OperationDeps } from '../operation-deps.ts';
import { changeAccount, listOwnAccounts } from './accounts.ts';
import { completeConsoleLogin } from './complete.ts';
import type { ConsoleVisit } from './console-visit.ts';
import { logInWithKey } from './key-login.ts';
import { loginWays } from './login-ways.ts';
import { addInvitationPage, INVITATION_PATH } from './invitation-page.ts';
import { logInInvited } from './invited-login.ts';
import { startConsoleLogin } from './login.ts';
import { logOut } from './logout.ts';
import { responseOf } from '../answer-response.ts';
import { isOwnSite, requireOwnHost, requireOwnPage } from './own-page.ts';
import { showSession } from './session.ts';
import { startTrial } from './trial.ts';
import { showTrialOutcome } from './trial-outcome.ts';

export function addConsoleRoutes(
  api: ControlApi,
  deps: ControlDeps & Pick<OperationDeps, 'failedKeys' | 'countChange'>,
): void {
  api.use('/auth/*', async (c, next) => {
    requireOwnHost(c.req, deps.settings().console.publicUrl);
    refuseLookAhead(purposeOf((name) => c.req.header(name)));
    await next();
  });
  api.get('/auth/login', (c) => pageOf(c, deps, async (visit) => startConsoleLogin(deps, visit)));
  api.get(COMPLETE_PATH, (c) =>
    pageOf(c, deps, (visit) => {
      // What looks ahead at a link must not use the grant up.
      if (c.req.method === 'HEAD') throw onlyGet();
      return completeConsoleLogin(deps, visit);
    }),
  );
  api.get('/auth/trial', (c) =>
    pageOf(c, deps, (visit) => {
      requireOwnPage(c.req, deps.settings().console.publicUrl);
      return startTrial(deps, visit);
    }),
  );
  api.get(TRIAL_OUTCOME_PATH, (c) =>
    pageOf(c, deps, (visit) => {
      if (c.req.method === 'HEAD') throw onlyGet();
      return showTrialOutcome(deps, visit);
    }),
  );
  api.get('/auth/session', (c) => showSession(deps, c));
  api.get('/auth/providers', (c) => c.json(loginWays(deps)));
  addInvitationPage(api, deps);
  api.post(INVITATION_PATH, (c) => logInInvited(deps, c));
  api.post('/auth/key', (c) => logInWithKey(deps, c));
  api.get('/auth/accounts', (c) => listOwnAccounts(deps, c));
  api.post('/auth/account', (c) => changeAccount(deps, c));
  api.post('/auth/logout', (c) => logOut(deps, c));
}

async function pageOf(
  c: Context<ControlEnv>,
  deps: ControlDeps,
  work: (visit: ConsoleVisit) => Promise<Answer>,
): Promise<Response> {
  const { address, requestId, certificate } = c.env;
  const query = new URL(c.req.url).searchParams;
  try {
    requireSingleParameters(query);
    const cookie = c.req.header('cookie');
    const from = { isLed: !isOwnSite(c.req), isUnled: c.req.header('sec-fetch-site') === 'none' };
    return responseOf(await work({ query, cookie, address, requestId, certificate, ...from }));
  } catch (error) {
    const page = wantsPage({ method: c.req.method, headers: (name) => c.req.header(name) });
    // The API's own answer, which is logged.
    if (!page || !(error instanceof ServiceError) || error.fault.status >= 500) throw error;
    const again = c.req.path.startsWith('/auth/trial')
      ? BACK
      : { label: 'Log in again', href: againUrl(query), primary: true };
    const { brand } = deps.settings().console;
    return responseOf(faultAnswer(error, { page, brand, requestId, actions: [again] }));
  }
}

function onlyGet(): ServiceError {
  return new ServiceError('method_not_allowed', 'Cannot answer: only GET is allowed here', {
    extra: { allow: 'GET' },
  });
}

/** Without what just failed; the provider is asked for another account of the person. */
function againUrl(query: URLSearchParams): string {
  const provider = query.get('provider');
  return `/auth/login?${new URLSearchParams({ ...(provider === null ? {} : { provider }), prompt: 'login' })}`;
}

const BACK = { label: 'Back to the console', href: '/console/providers', primary: true };
