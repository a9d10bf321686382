// `GET /<provider>/logout` (contract 4.2): ends this browser's sessions of the provider that the path names,
// revokes their tokens, clears the cookie, redirects. Repeating it does no harm, and neither a failing
// provider nor a store that is away stops it: what the store does not take is owed to it, and refused here
// meanwhile (`owed-logout.ts`).

import { sessionProvider } from '../domain/decision.ts';
import type { SessionId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Session } from '../domain/session.ts';
import type { Answer } from '../http/answer.ts';
import type { Provider } from '../providers/provider.ts';
import type { SessionRow, StoredTokens } from '../store/sessions/session.ts';
import { redirectAnswer } from './answers.ts';
import { RECENT_MS, sessionOf } from './begin-session.ts';
import { browserHash, sessionCookie, sessionsInCookies } from './browser-cookie.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import { LOGGED_OUT_PATH } from './login-url.ts';
import { parseLogoutRedirect } from './logout-redirect.ts';
import { doneInTime, endSessions, oweLogout } from './owed-logout.ts';
import { throughProvider } from './provider-logout.ts';
import { shareHome } from './return-url.ts';
import { revokeQuietly } from './revoke.ts';
import { otherAccountUrl } from './share-for-login.ts';

export async function logout(
  deps: LoginDeps,
  provider: Provider,
  request: LoginHttpRequest,
): Promise<Answer> {
  const redirectUrl = wantedRedirect(deps, request);
  const known = await doneInTime(deps, lookUp(deps, provider, request));
  // The store is away: the cookie says whose sessions it has, and by which provider each was made.
  if (known === null) return leaveByCookie(deps, provider, { request, redirectUrl });
  const { cookie, found } = known;
  const rows = found.map(({ row }) => row);
  const location = redirectUrl ?? defaultRedirect(deps, provider, rows);
  const gone = cookie.filter(({ row }) => row?.providerName === provider.name);
  if (found.length === 0 && gone.length === 0) return redirectAnswer(location, []);
  const ids = rows.map(({ id }) => id);
  const done = await doneInTime(
    deps,
    endSessions(deps, request, { rows }).then(() => true),
  );
  if (done === null) oweLogout(deps, provider, { request, ids });
  const tokens = found.map((each) => each.tokens);
  await revokeQuietly(provider, tokens, deps.log);
  const next = await throughProvider(deps, provider, { location, tokens });
  const kept = (await withBegun(deps, request, remaining(deps, provider, cookie))).filter(
    ({ id }) => !ids.includes(id),
  );
  return redirectAnswer(next, [sessionCookie(deps, kept)]);
}

/** What the cookie names, and living sessions of the provider. */
async function lookUp(deps: LoginDeps, provider: Provider, request: LoginHttpRequest) {
  const cookie = await knownInCookie(deps, request);
  return { cookie, found: await sessionsOfProvider(deps, provider, { request, cookie }) };
}

type Leaving = { readonly request: LoginHttpRequest; readonly redirectUrl: string | null };

/**
 * Without the store: nothing is revoked before it is back, and whatever else this browser has there ends
 * then, too.
 */
async function leaveByCookie(
  deps: LoginDeps,
  provider: Provider,
  { request, redirectUrl }: Leaving,
): Promise<Answer> {
  const sessions = sessionsInCookies(deps, request.cookies);
  // A generation is of one provider.
  const isOf = ({ providerGeneration }: Session) => providerGeneration === provider.generation;
  const leaving = sessions.filter(isOf);
  const location = redirectUrl ?? defaultRedirect(deps, provider, leaving);
  if (leaving.length === 0) return redirectAnswer(location, []);
  oweLogout(deps, provider, { request, ids: leaving.map(({ id }) => id) });
  const next = await throughProvider(deps, provider, { location, tokens: [] });
  const now = deps.now();
  const kept = sessions.filter((session) => !isOf(session) && session.expiresAt > now);
  return redirectAnswer(next, [sessionCookie(deps, kept)]);
}

/** First of all: a bad address ends nothing. Null when none was given. */
function wantedRedirect(deps: LoginDeps, request: LoginHttpRequest): string | null {
  const given = request.query.get('redirect_url');
  if (given === null) return null;
  if (given === deps.oauth.endpointUrl.origin + LOGGED_OUT_PATH) return given;
  const parsed = parseLogoutRedirect(given, deps.oauth.logoutRedirectHosts);
  if (parsed === null)
    throw new ServiceError(
      'redirect_refused',
      'Cannot log out: the redirect to redirect_url is not allowed',
      {
        hint: 'Give an absolute http or https address whose host is among logout_redirect_hosts.',
      },
    );
  return parsed;
}

type InCookie = { readonly session: Session; readonly row: SessionRow | null };

async function knownInCookie(deps: LoginDeps, request: LoginHttpRequest): Promise<readonly InCookie[]> {
  const sessions = sessionsInCookies(deps, request.cookies);
  return Promise.all(
    sessions.map(async (session) => ({ session, row: await deps.sessions.find(session.id) })),
  );
}

type Found = { readonly row: SessionRow; readonly tokens: StoredTokens };

/**
 * Living sessions of the provider: all of this browser, and those that the cookie names should the browser be
 * unknown.
 */
async function sessionsOfProvider(
  deps: LoginDeps,
  provider: Provider,
  from: { readonly request: LoginHttpRequest; readonly cookie: readonly InCookie[] },
): Promise<readonly Found[]> {
  const own = browserHash(deps.oauth, from.request.cookies);
  const named = from.cookie.flatMap(({ row }) => (row?.providerName === provider.name ? [row] : []));
  const namedIds = new Set<SessionId>(named.map(({ id }) => id));
  const browsers = new Set([...(own === null ? [] : [own]), ...named.map((row) => row.browserHash)]);
  const found = await Promise.all(
    [...browsers].map((browser) => deps.sessions.ofBrowser(browser, provider.name)),
  );
  return found.flat().filter(({ row }) => row.browserHash === own || namedIds.has(row.id));
}

/** Sessions of other providers stay in the cookie. */
function remaining(deps: LoginDeps, provider: Provider, cookie: readonly InCookie[]): readonly Session[] {
  const now = deps.now();
  return cookie.flatMap(({ session, row }) => {
    const stays =
      row !== null && row.providerName !== provider.name && row.endedAt === null && row.expiresAt > now;
    return stays ? [session] : [];
  });
}

/**
 * Revoking took its time: a login that was completed meanwhile in another tab stays logged in, and this
 * answer writes the cookie last. While the store is away, what the request brought has to do.
 */
async function withBegun(
  deps: LoginDeps,
  request: LoginHttpRequest,
  kept: readonly Session[],
): Promise<readonly Session[]> {
  const browser = browserHash(deps.oauth, request.cookies);
  if (browser === null) return kept;
  const begun = await deps.sessions.recent(browser, deps.now() - RECENT_MS).catch(() => []);
  const all = [...begun.map(sessionOf), ...kept];
  return [...new Map(all.map((session) => [session.id, session])).values()];
}

/**
 * The provider's login page, asking for an account: for the share that was left when it is one and still goes
 * by this provider (contract 4.2).
 */
function defaultRedirect(
  deps: LoginDeps,
  provider: Provider,
  rows: readonly Pick<Session, 'shareId' | 'bindingHash'>[],
): string {
  const [row, ...others] = rows;
  const share = row === undefined ? undefined : deps.findShare(row.shareId);
  const isOne = others.every(({ shareId }) => shareId === row?.shareId);
  const isHere =
    share !== undefined &&
    sessionProvider(share, { providerGeneration: provider.generation }) === provider.name;
  if (row === undefined || !isHere || !isOne) return otherAccountUrl(deps, provider, null);
  return otherAccountUrl(deps, provider, {
    shareId: share.id,
    returnUrl: shareHome(share, deps.shareBase),
    addressKey: null,
    bindingHash: row.bindingHash,
  });
}
