// Examines GitHub or an Enterprise Server. It publishes no metadata, so each address is tried: the login page
// with our client id, the token endpoint with a made-up code, the API without a token.

import { type Check, fails, passes, warns } from '../domain/check.ts';
import type { ProviderSettings } from '../domain/provider-settings.ts';
import {
  CLIENT_SECRET,
  examineTokenEndpoint,
  judgeLoginAnswer,
  madeUp,
  REACH_HINT,
} from './examine-client.ts';
import { clockCheck } from './examine-clock.ts';
import type { Examiner, ExaminerDeps } from './examiner.ts';
import { addressesOf, askedScopes } from './github.ts';
import { look } from './look.ts';

export const examineGitHub: Examiner = async (settings, deps) => {
  const { baseUrl, apiUrl } = addressesOf(settings);
  const address = `${baseUrl}/login/oauth/access_token`;
  const startedAt = deps.now();
  let clock: Check = clockCheck(new Headers(), startedAt, startedAt);
  const seen = (headers: Headers) => {
    clock = clockCheck(headers, startedAt, deps.now());
  };
  const checks = [
    scopesCheck(settings),
    ...(await Promise.all([
      examineLogin(deps),
      examineTokenEndpoint({ address, credential: CLIENT_SECRET, isTaken: true, issuer: null }, deps),
      examineApi(apiUrl, deps, seen),
    ])),
    passes('verified email', 'required'),
  ];
  return [...checks, clock];
};

/** An unknown client id is a 404 there. */
async function examineLogin({ fetch, register, createLogin }: ExaminerDeps): Promise<Check> {
  const { redirectUrl } = register;
  const url = await createLogin(fetch).authorizeUrl({
    redirectUri: redirectUrl,
    state: madeUp(),
    nonce: madeUp(),
    codeVerifier: madeUp(),
    selectAccount: false,
  });
  const found = await look(fetch, url.href, { method: 'GET', headers: { accept: 'text/html' } });
  return judgeLoginAnswer(found, redirectUrl);
}

async function examineApi(
  apiUrl: string,
  { fetch }: ExaminerDeps,
  seen: (headers: Headers) => void,
): Promise<Check> {
  const found = await look(fetch, `${apiUrl}/user`, { method: 'GET' });
  if (found.kind === 'none') return fails('API', `it cannot be reached: ${found.reason}`, REACH_HINT);
  seen(found.headers);
  if (found.status === 401) return passes('API', 'it responds, and requires a token');
  return found.status >= 500
    ? fails('API', `it returns ${found.status}`, REACH_HINT)
    : warns('API', `without a token it returns ${found.status}`, 'Check the URL of the API.');
}

function scopesCheck(settings: ProviderSettings): Check {
  const asked = askedScopes(settings);
  if (asked.includes('user:email') || asked.includes('user')) return passes('scopes', asked.join(' '));
  return fails(
    'scopes',
    'user:email is missing',
    'Add it. Doorward needs it to read the verified email address.',
  );
}
