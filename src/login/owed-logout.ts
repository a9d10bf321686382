// The end of sessions by a logout, now or as soon as the store takes it (contract 4.2). What is owed is
// refused by this process meanwhile; other gateways hear of it when it is in the store.

import { inTime } from '../domain/in-time.ts';
import { LOGGED_OUT } from '../domain/end-reason.ts';
import type { SessionId } from '../domain/id.ts';
import type { Provider } from '../providers/provider.ts';
import type { SessionRow } from '../store/sessions/session.ts';
import { sessionEventOf, tellAudited } from './audit.ts';
import { browserHash } from './browser-cookie.ts';
import { messagesOf } from './fault-log.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';

/** Ends those that had not ended, with their events. `owesTokens` as `SessionEnding` has it. */
export async function endSessions(
  deps: LoginDeps,
  request: Pick<LoginHttpRequest, 'ip' | 'requestId'>,
  { rows, owesTokens = false }: { readonly rows: readonly SessionRow[]; readonly owesTokens?: boolean },
): Promise<void> {
  if (rows.length === 0) return;
  const events = new Map(rows.map((row) => [row.id, sessionEventOf(deps, request, { kind: 'logout', row })]));
  const ending = { reason: LOGGED_OUT, at: deps.now(), events, owesTokens };
  const ended = await deps.sessions.end([...events.keys()], ending);
  tellAudited(deps, ended, events);
}

/** Null when the store does not do it, or not while a person waits. */
export async function doneInTime<T>(deps: Pick<LoginDeps, 'log'>, work: Promise<T>): Promise<T | null> {
  try {
    return await inTime(work, STORE_LIMIT_MS, () => null);
  } catch (error) {
    deps.log.warn({ cause: messagesOf(error) }, 'logout not in the store yet');
    return null;
  }
}

/**
 * Refuses these sessions from now on, and ends them in the store with whatever else this browser had at the
 * provider by then.
 */
export function oweLogout(
  deps: LoginDeps,
  provider: Provider,
  { request, ids }: { readonly request: LoginHttpRequest; readonly ids: readonly SessionId[] },
): void {
  if (ids.length === 0) return;
  const browser = browserHash(deps.oauth, request.cookies);
  const by = { ip: request.ip, requestId: request.requestId };
  const at = deps.now();
  const end = async () => {
    const named = await Promise.all(ids.map((id) => deps.sessions.find(id)));
    const living = named.flatMap((row) => (row === null || row.endedAt !== null ? [] : [row]));
    const browsers = new Set([
      ...(browser === null ? [] : [browser]),
      ...living.map((row) => row.browserHash),
    ]);
    const found = await Promise.all(
      [...browsers].map((each) => deps.sessions.ofBrowser(each, provider.name)),
    );
    const rows = found
      .flat()
      .map(({ row }) => row)
      .filter((row) => ids.includes(row.id) || (row.browserHash === browser && row.createdAt <= at));
    await endSessions(deps, by, { rows, owesTokens: true });
    deps.tokensOwed();
  };
  // They come from a cookie that was sealed here.
  deps.owedEnds.owe({ ids, end, from: request.ip, isOurs: true });
}

/** A person waits, and the logout is done all the same. */
const STORE_LIMIT_MS = 3_000;
