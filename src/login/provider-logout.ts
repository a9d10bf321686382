// RP-initiated logout (OpenID Connect RP-Initiated Logout 1.0), where a provider's settings ask for it: a
// logout here goes on to the provider's own, which sends the browser back to `/<provider>/logged-out`, and
// from there to where the logout was meant to lead (contract 4.2). Whatever keeps that from working leads
// there straight away.
//
//   logout.ts ──302──▶ provider's end_session_endpoint ──302──▶ /<p>/logged-out?state=… ──302──▶ redirect_url or start.ts

import { asServiceError } from '../domain/service-error.ts';
import type { Secret } from '../domain/secret.ts';
import type { Answer } from '../http/answer.ts';
import type { Provider } from '../providers/provider.ts';
import type { StoredTokens } from '../store/sessions/session.ts';
import { loggedOutPage, redirectAnswer } from './answers.ts';
import { logFault } from './fault-log.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import { loggedOutUri } from './login-url.ts';
import { numberField, readRecord, textField } from './record.ts';
import { otherAccountUrl } from './share-for-login.ts';

/** The provider's logout on the way to `location`, or `location` itself. */
export async function throughProvider(
  deps: LoginDeps,
  provider: Provider,
  leaving: { readonly location: string; readonly tokens: readonly StoredTokens[] },
): Promise<string> {
  const { location, tokens } = leaving;
  // What is longer may not fit an address twice sealed and encoded: the logout here is what counts.
  if (provider.endSessionUrl === undefined || location.length > MAX_LOCATION) return location;
  const idToken = tokens.map((each) => each.idToken).find((each): each is Secret => each !== null) ?? null;
  try {
    const url = await provider.endSessionUrl({
      idToken,
      returnTo: loggedOutUri(deps.oauth.endpointUrl, provider.name),
      state: sealReturn(deps, provider, location),
    });
    return url?.href ?? location;
  } catch (error) {
    logFault(deps.log, { act: 'logout', provider: provider.name }, asServiceError(error));
    return location;
  }
}

/**
 * `GET /<provider>/logged-out`: goes only where this service sealed that it goes, so it is no open
 * redirector. Providers that lose the state send people here, too: they are logged out, and a login that
 * nobody asked for would log them in again.
 */
export function loggedOut(deps: LoginDeps, provider: Provider, request: LoginHttpRequest): Answer {
  const location = openReturn(deps, provider, request.query.get('state') ?? '');
  if (location !== null) return redirectAnswer(location, []);
  const again = { label: 'Log in again', href: otherAccountUrl(deps, provider, null), primary: true };
  return loggedOutPage(deps, request, [again]);
}

function sealReturn(deps: LoginDeps, provider: Provider, location: string): string {
  const expiresAt = deps.now() + deps.oauth.intermediateLifetimeMs;
  const fields = [
    numberField(VERSION, 1),
    numberField(expiresAt, MILLISECONDS_BYTES),
    textField(provider.name, 1),
    textField(location, 2),
  ];
  return deps.seal.seal('logout-return', Buffer.concat(fields));
}

/** Null for what was not sealed here for this provider, or too long ago. */
function openReturn(deps: LoginDeps, provider: Provider, sealed: string): string | null {
  const content = deps.seal.open('logout-return', sealed);
  if (content === null) return null;
  const read = readRecord(content, (reader) => {
    if (reader.number(1) !== VERSION) return reader.malformed();
    return { expiresAt: reader.number(MILLISECONDS_BYTES), name: reader.text(1), location: reader.text(2) };
  });
  if (read === null || read.name !== provider.name || deps.now() >= read.expiresAt) return null;
  return read.location;
}

const VERSION = 1;
const MILLISECONDS_BYTES = 6;
const MAX_LOCATION = 2_000;
