// Whether a provider knows us: a login request as a browser would bring it, but with `prompt=none`, so that
// nobody is asked anything (OpenID Connect Core section 3.1.2.1), and a made-up code at the token endpoint,
// which a provider refuses in one way when the client's credentials are right and in another when they are
// not (RFC 6749 section 5.2).

import { type Check, fails, passes, warns } from '../domain/check.ts';
import { randomBytes, randomToken } from '../domain/secret.ts';
import type { ExaminerDeps } from './examiner.ts';
import { look, lookAt, type Look } from './look.ts';

export async function examineLoginRequest({ fetch, register, createLogin }: ExaminerDeps): Promise<Check> {
  const provider = createLogin(fetch);
  let url: URL;
  try {
    url = await provider.authorizeUrl({
      redirectUri: register.redirectUrl,
      state: randomToken(),
      nonce: randomToken(),
      codeVerifier: provider.usesPkce ? madeUp() : null,
      selectAccount: false,
    });
  } catch {
    return fails('login request', 'the metadata do not allow a login request', 'See the checks that failed.');
  }
  url.searchParams.set('prompt', 'none');
  const found = await look(fetch, url.href, { method: 'GET', headers: { accept: 'text/html' } });
  return judgeLoginAnswer(found, register.redirectUrl);
}

/** What the provider made of the login request. */
export function judgeLoginAnswer(found: Look, redirectUrl: string): Check {
  if (found.kind === 'none')
    return fails(
      'login request',
      `the authorization endpoint cannot be reached: ${found.reason}`,
      REACH_HINT,
    );
  const { status } = found;
  if (status >= 500)
    return fails('login request', `the authorization endpoint returns ${status}`, REACH_HINT);
  if (status >= 400)
    return fails(
      'login request',
      `the authorization endpoint refuses it with ${status}`,
      registerHint(redirectUrl),
    );
  const location = URL.parse(found.headers.get('location') ?? '');
  if (location === null || `${location.origin}${location.pathname}` !== redirectUrl)
    return passes(
      'login request',
      'accepted; whether the redirect URL is registered cannot be checked from here',
    );
  const error = location.searchParams.get('error');
  if (error === null || NOBODY_THERE.has(error))
    return passes('login request', 'accepted, and the redirect URL is registered');
  return fails(
    'login request',
    `the provider returns ${OAUTH_ERRORS.has(error) ? error : 'an error'}`,
    'Check what the provider allows this client: the authorization code flow, and every requested scope.',
  );
}

/** What a client proves itself with, in words, and the ways in which it is sent. */
export type CredentialKind = { readonly name: string; readonly ways: readonly string[] };

export const CLIENT_SECRET: CredentialKind = {
  name: 'secret',
  ways: ['client_secret_basic', 'client_secret_post'],
};
export const CLIENT_KEY: CredentialKind = { name: 'private key', ways: ['private_key_jwt'] };

export type TokenEndpoint = {
  readonly address: unknown;
  readonly credential: CredentialKind;
  /** Whether the metadata name a way in which it can be sent. */
  readonly isTaken: boolean;
  /** What comes back with a code as its issuer; null for nothing. */
  readonly issuer: string | null;
};

/**
 * A made-up code, exchanged as a login exchanges its own. What counts is what the token endpoint answered
 * last, in whichever way the credentials were sent.
 */
export async function examineTokenEndpoint(
  { address, credential, isTaken, issuer }: TokenEndpoint,
  { fetch, register, createLogin }: ExaminerDeps,
): Promise<Check> {
  if (typeof address !== 'string')
    return fails(
      'credentials',
      'the metadata do not name a token endpoint',
      'Ask the operator of the provider.',
    );
  if (!isTaken)
    return fails(
      'credentials',
      `the provider does not accept a client ${credential.name}`,
      `Allow ${credential.ways.join(' or ')} for this client at the provider.`,
    );
  const heard: { look: Look } = { look: { kind: 'none', reason: 'the metadata cannot be used' } };
  const provider = createLogin(async (url, request) => {
    const answer = fetch(url, request);
    if (url === address) heard.look = await lookAt(async () => (await answer).clone());
    return answer;
  });
  const [state, code] = [randomToken(), madeUp()];
  const url = new URL(register.redirectUrl);
  url.search = new URLSearchParams({
    state,
    code,
    ...(issuer === null ? {} : { iss: issuer }),
  }).toString();
  await provider
    .exchange({
      url,
      redirectUri: register.redirectUrl,
      state,
      nonce: randomToken(),
      codeVerifier: provider.usesPkce ? madeUp() : null,
    })
    .catch(() => null);
  return judgeTokenAnswer(heard.look, credential);
}

/** What a token endpoint made of a code that nobody was given. */
export function judgeTokenAnswer(found: Look, { name }: CredentialKind): Check {
  if (found.kind === 'none')
    return fails('credentials', `the token endpoint cannot be reached: ${found.reason}`, REACH_HINT);
  const { status } = found;
  const said = found.document?.['error'];
  const error = typeof said === 'string' && OAUTH_ERRORS.has(said) ? said : null;
  if (error !== null && TAKEN.has(error)) return passes('credentials', `the client id and ${name} are right`);
  if (error === 'redirect_uri_mismatch')
    return fails('credentials', 'the provider has another redirect URL', 'Register the redirect URL below.');
  if (status === 401 || (error !== null && REFUSED.has(error)))
    return fails(
      'credentials',
      `the provider returns ${error ?? status} for the client id and ${name}`,
      credentialHint(name),
    );
  if (status === 404 || status >= 500)
    return fails('credentials', `the token endpoint returns ${status}`, REACH_HINT);
  return warns(
    'credentials',
    `the token endpoint returns ${error ?? status} for a made-up code`,
    `The first login shows whether the client id and ${name} are right.`,
  );
}

/** 43 characters, as a code verifier must have at least (RFC 7636 section 4.1). */
export function madeUp(): string {
  return randomBytes(32).toString('base64url');
}

export function credentialHint(name: string): string {
  return `Check the client id and the client ${name}, and that the provider allows the code flow for this client.`;
}

export function registerHint(redirectUrl: string): string {
  return `Register ${redirectUrl} at the provider, and check the client id.`;
}

/** With `prompt=none` the right answer, since nobody is logged in (Core section 3.1.2.6). */
const NOBODY_THERE: ReadonlySet<string> = new Set([
  'login_required',
  'interaction_required',
  'consent_required',
  'account_selection_required',
]);
/** The second is GitHub's own word. */
const TAKEN: ReadonlySet<string> = new Set(['invalid_grant', 'bad_verification_code']);
const REFUSED: ReadonlySet<string> = new Set([
  'invalid_client',
  'unauthorized_client',
  'unsupported_grant_type',
  'incorrect_client_credentials',
]);
/** The words that are shown: an answer could hold anything. */
const OAUTH_ERRORS: ReadonlySet<string> = new Set([
  ...NOBODY_THERE,
  ...TAKEN,
  ...REFUSED,
  'access_denied',
  'invalid_request',
  'invalid_scope',
  'redirect_uri_mismatch',
  'request_not_supported',
  'server_error',
  'temporarily_unavailable',
  'unsupported_response_type',
]);
export const REACH_HINT = 'Nobody can log in until it answers. Check the provider and the network.';
