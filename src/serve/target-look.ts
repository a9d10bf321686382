// Looks every half a minute whether the direct targets of shares take connections, so that the console says
// so before a visitor is told: some at once, for a bounded time, by one gateway of many, and only where a
// request of a visitor could go. It sends nothing: an app is asked for nothing, and nothing leads elsewhere.

import { connect } from 'node:net';
import { createAddressList } from '../domain/address-list.ts';
import type { Log } from '../domain/log.ts';
import { ServiceError } from '../domain/service-error.ts';
import { readTargetUrl } from '../domain/target-url.ts';
import { portOf } from '../domain/url-place.ts';
import { isLoopbackName } from '../domain/host-name.ts';
import { readHost } from '../domain/ip-address.ts';
import {
  askSystem,
  checkTarget,
  type DialAddress,
  type DialRules,
  pinnedLookup,
} from '../providers/dial-target.ts';
import type { ShareTable } from '../store/shares/share.ts';
import { createNameTurns, type NameTurns } from './name-turns.ts';

export type TargetLookDeps = {
  readonly shares: Pick<ShareTable, 'takeLook' | 'targetsToLook' | 'looked'>;
  /** Asked each time, since a reload may change it. */
  readonly rules: () => Pick<DialRules, 'ownListeners'> & { readonly directTargets: readonly string[] };
  readonly log: Log;
};

/** Until the returned function is called. */
export function startTargetLook(deps: TargetLookDeps): () => void {
  const stop = new AbortController();
  const names = createNameTurns(askSystem);
  let after: string | null = null;
  let isBusy = false;
  const look = async (): Promise<void> => {
    if (isBusy) return;
    isBusy = true;
    after = await lookOnce({ ...deps, names }, { after, signal: stop.signal });
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
  { shares, rules, log, names }: TargetLookDeps & { readonly names: NameTurns },
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
    const looked: string[] = [];
    const silent: string[] = [];
    const lookAt = async (waiting: string[]): Promise<void> => {
      for (let target = waiting.pop(); target !== undefined && !end.aborted; target = waiting.pop()) {
        const found = await takesConnections(target, dialRules, { end, names });
        if (found === null) continue;
        looked.push(target);
        if (!found) silent.push(target);
      }
    };
    // Apart, since those whose name is to be asked for wait for each other.
    const named = targets.filter(isNamed);
    const others = targets.filter((target) => !isNamed(target));
    await Promise.all([named, others].flatMap((each) => Array.from({ length: AT_ONCE }, () => lookAt(each))));
    if (!signal.aborted) await shares.looked({ looked, silent });
    return next;
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'Cannot look whether targets answer');
    return null;
  }
}

/**
 * Null where that is not to be known: it may not be dialled, its name was not asked for, or the look ended
 * first.
 */
export async function takesConnections(
  target: string,
  rules: DialRules,
  { end, names }: { readonly end: AbortSignal; readonly names: NameTurns },
): Promise<boolean | null> {
  const place = readTargetUrl(target);
  if (place === null) return null;
  const port = portOf(place.url);
  const host = place.url.hostname;
  try {
    const dial = isNamed(target)
      ? await names(host, end, (lookup) => checkTarget({ host, port }, { ...rules, lookup }))
      : await checkTarget({ host, port }, rules);
    return dial === null ? null : await connects(dial, port, end);
  } catch (error) {
    const isGone = error instanceof ServiceError && error.code === rules.unresolved;
    return isGone && !end.aborted ? false : null;
  }
}

/** Whether somebody has to be asked what its host is. */
function isNamed(target: string): boolean {
  const host = readTargetUrl(target)?.url.hostname ?? '';
  return readHost(host).kind === 'name' && !isLoopbackName(host);
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
/** Of those by name, and of the others. */
const AT_ONCE = 10;
/** Of each round; with more shares, the next goes on with others. */
const MOST_SHARES = 2_000;
