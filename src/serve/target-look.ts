// Looks every half a minute whether the direct targets of shares take connections, so that the console says
// so before a visitor is told: some at once, for a bounded time, by one gateway of many, and only where a
// request of a visitor could go. It sends nothing: an app is asked for nothing, and nothing leads elsewhere.

import { connect } from 'node:net';
import { createAddressList } from '../domain/address-list.ts';
import type { Log } from '../domain/log.ts';
import { ServiceError } from '../domain/service-error.ts';
import { readTargetUrl } from '../domain/target-url.ts';
import { portOf } from '../domain/url-place.ts';
import { checkTarget, type DialAddress, type DialRules, pinnedLookup } from '../providers/dial-target.ts';
import type { ShareTable } from '../store/shares/share.ts';

export type TargetLookDeps = {
  readonly shares: Pick<ShareTable, 'takeLook' | 'targetsToLook' | 'looked'>;
  /** Asked each time, since a reload may change it. */
  readonly rules: () => Pick<DialRules, 'ownListeners'> & { readonly directTargets: readonly string[] };
  readonly log: Log;
};

/** Until the returned function is called. */
export function startTargetLook(deps: TargetLookDeps): () => void {
  const stop = new AbortController();
  let after: string | null = null;
  let isBusy = false;
  const look = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    after = await lookOnce(deps, { after, signal: stop.signal });
    isBusy = false;
  };
  const timer = setInterval(() => void look(), EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    stop.abort();
  };
}

/** Never rejects. Answers where the next look goes on. */
export async function lookOnce(
  { shares, rules, log }: TargetLookDeps,
  { after, signal }: { readonly after: string | null; readonly signal: AbortSignal },
): Promise<string | null> {
  try {
    if (!(await shares.takeLook(HOLD_MS))) return after;
    const { targets, next } = await shares.targetsToLook({ after, most: MOST_SHARES });
    const { directTargets, ownListeners } = rules();
    const allow = createAddressList(directTargets);
    const dialRules: DialRules = {
      allow,
      ownListeners,
      refused: 'backend_refused',
      unresolved: 'backend_down',
    };
    const end = AbortSignal.any([signal, AbortSignal.timeout(ROUND_MS)]);
    const waiting = [...targets];
    const looked: string[] = [];
    const silent: string[] = [];
    const worker = async (): Promise<void> => {
      for (let target = waiting.pop(); target !== undefined && !end.aborted; target = waiting.pop()) {
        const found = await takesConnections(target, dialRules, end);
        if (found === null) continue;
        looked.push(target);
        if (!found) silent.push(target);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    if (!signal.aborted) await shares.looked({ looked, silent });
    return next;
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'Cannot look whether targets answer');
    return null;
  }
}

/** Null where that is not to be known: it may not be dialled, or the look ended first. */
export async function takesConnections(
  target: string,
  rules: DialRules,
  end: AbortSignal,
): Promise<boolean | null> {
  const place = readTargetUrl(target);
  if (place === null) return null;
  const port = portOf(place.url);
  try {
    const dial = await checkTarget({ host: place.url.hostname, port }, rules);
    return await connects(dial, port, end);
  } catch (error) {
    const isGone = error instanceof ServiceError && error.code === rules.unresolved;
    return isGone && !end.aborted ? false : null;
  }
}

function connects(dial: DialAddress, port: number, end: AbortSignal): Promise<boolean | null> {
  const { promise, resolve } = Promise.withResolvers<boolean | null>();
  if (end.aborted) return Promise.resolve(null);
  const socket = connect({
    // The lookup answers what was checked, each address of it in turn, and asks nobody.
    host: 'target.invalid',
    port,
    lookup: pinnedLookup(dial),
    autoSelectFamily: true,
  });
  const finish = (found: boolean | null): void => {
    clearTimeout(timer);
    end.removeEventListener('abort', onEnd);
    socket.destroy();
    resolve(found);
  };
  const onEnd = (): void => finish(null);
  const timer = setTimeout(() => finish(false), CONNECT_MS);
  end.addEventListener('abort', onEnd);
  socket.on('connect', () => finish(true));
  socket.on('error', () => finish(false));
  return promise;
}

const EVERY_MS = 30_000;
/** Less than a round's distance, more than its length: one gateway looks at a time. */
const HOLD_MS = 28_000;
const ROUND_MS = 20_000;
/** As long as a request of a visitor waits for a connection. */
const CONNECT_MS = 5_000;
const AT_ONCE = 20;
/** Of each round; with more shares, the next goes on with others. */
const MOST_SHARES = 2_000;
