// The stream from the store to the data plane: what changed is read again and handed on, in commit order, every half
// second and at once after a commit of this process (DESIGN "Gateways and store"). It never writes.
//
//   start ──► read all ──► poll ──► changes ──► read each ──► hand on ──► store was good
//                           ▲  └── gap ──► read all again, forget all sessions ──┘
//                           └────────── failed: told once, tried again ──────────┘

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ShareBase } from '../../config/config.ts';
import { untilBeat } from '../../domain/beat.ts';
import type { TrustNews } from '../../domain/certificate-trust.ts';
import type { ApiKeyId, MemberId, ProviderDefinitionId, SessionId, ShareId } from '../../domain/id.ts';
import type { Log } from '../../domain/log.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { goneSession, type SessionState } from '../../domain/session.ts';
import type { Share } from '../../domain/share.ts';
import { inBatches } from '../../store/columns.ts';
import type { Store } from '../../store/store.ts';
import type { Change } from '../../store/change.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import { routedShare } from '../shares/view.ts';
import { createTrustReader } from './trust-reader.ts';

export type RouteFeedDeps = {
  readonly store: Pick<Store, 'shares' | 'sessions' | 'changes' | 'cas' | 'certificates' | 'apiKeys'>;
  /** The provider of that name as it is configured now. */
  readonly providerRef: (name: string) => ProviderRef | null;
  /** These definitions changed, or all may have: reads them again, before shares are built with them; answers the names that changed. */
  readonly onProviders: (changed: readonly ProviderDefinitionId[] | 'all') => Promise<readonly string[]>;
  readonly shareBase: ShareBase;
  /** `oauth.cookie_domain` of now: a reload of the configuration may change it. */
  readonly cookieDomain: () => string;
  /** For `onStoreGood`, on a clock that is never set. */
  readonly now: () => number;
  /** The time of day, by which certificates are over. */
  readonly wallNow: () => number;
  readonly pollMs?: number;
  /** What is handed on counts as live once this returns or resolves. */
  readonly onShares: (upsert: readonly Share[], remove: readonly ShareId[]) => void | Promise<void>;
  readonly onSessions: (states: readonly SessionState[]) => void | Promise<void>;
  /** These API keys, and what these members allowed, serve no tunnel any more. */
  readonly onKeysGone: (keys: readonly (ApiKeyId | MemberId)[]) => void | Promise<void>;
  readonly onTrust: (news: TrustNews) => void | Promise<void>;
  /** Changes were missed, so nothing known of any session or key can be believed: forget it, and ask again. */
  readonly onGap: () => void | Promise<void>;
  /** A poll that began at that time has succeeded. */
  readonly onStoreGood: (beganAt: number) => void;
  readonly log: Log;
};

export type RouteFeed = {
  /** Reads every share and whose certificates count, then follows. Throws `store_unavailable` when the first read fails. */
  readonly start: () => Promise<{ readonly shares: readonly Share[]; readonly trust: TrustNews }>;
  readonly find: (id: ShareId) => Share | null;
  /** `host` in lower case, without port. */
  readonly findByHost: (host: string) => Share | null;
  /** Hands every share on again, since the configuration's providers changed. */
  readonly refreshProviders: () => Promise<void>;
  /** Resolves once every change committed before this call was handed on; rejects when the store cannot be read. */
  readonly caughtUp: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export function createRouteFeed(deps: RouteFeedDeps): RouteFeed {
  const { store, now, log } = deps;
  const table = createShareTable(deps);
  const health = createHealthLog(log);
  const trustReader = createTrustReader(store, deps.wallNow);
  let upTo = 0;
  // Names of providers that changed, until their shares were handed on: a failed try is made again.
  const staleProviders = new Set<string>();

  const caughtUp = createSingleFlight(async () => {
    const beganAt = now();
    try {
      await follow();
    } catch (error) {
      health.failed(error);
      throw error;
    }
    health.good();
    deps.onStoreGood(beganAt);
  });

  async function follow(): Promise<void> {
    const news = await store.changes.since(upTo);
    if (news.gap) await readAllAgain();
    else await handOn(news.changes);
    // Only now: what could not be handed on is read again by the next poll.
    upTo = news.upTo;
  }

  async function handOn(changes: readonly Change[]): Promise<void> {
    const sessions = new Set<SessionId>();
    const shares = new Set<ShareId>();
    const keys = new Set<ApiKeyId>();
    const members = new Set<MemberId>();
    const providers = new Set<ProviderDefinitionId>();
    for (const change of changes) {
      if (change.kind === 'session') sessions.add(change.id);
      else if (change.kind === 'share') shares.add(change.id);
      else if (change.kind === 'api-key') keys.add(change.id);
      else if (change.kind === 'member') members.add(change.id);
      else if (change.kind === 'provider') providers.add(change.id);
    }
    const serving = new Set(keys.size > 0 ? await store.apiKeys.serving([...keys]) : []);
    const gone = [...[...keys].filter((id) => !serving.has(id)), ...members];
    if (gone.length > 0) await deps.onKeysGone(gone);
    // Before the shares: one that asks for certificates goes live with those that it trusts.
    const trust = await trustReader.news(changes);
    if (trust !== null) await deps.onTrust(trust);
    if (providers.size > 0) await rebuildWithProviders([...providers]);
    const known = new Map((await store.sessions.states([...sessions])).map((state) => [state.id, state]));
    const states = [...sessions].map((id) => known.get(id) ?? goneSession(id));
    const rows = await store.shares.findByIds([...shares]);
    if (states.length > 0) await deps.onSessions(states);
    const kept = new Set(rows.map((row) => row.id));
    if (shares.size > 0) {
      const removed = [...shares].filter((id) => !kept.has(id));
      await deps.onShares(table.update(rows, removed), removed);
    }
  }

  async function rebuildWithProviders(changed: readonly ProviderDefinitionId[]): Promise<void> {
    for (const name of await deps.onProviders(changed)) staleProviders.add(name);
    const stale = table.idsOf((row) => row.oauthProvider !== null && staleProviders.has(row.oauthProvider));
    await rebuild(stale);
    staleProviders.clear();
  }

  /** Some at a time, and something else between: an account may have thousands. */
  async function rebuild(ids: readonly ShareId[]): Promise<void> {
    for (const batch of inBatches(ids, AT_ONCE)) {
      await deps.onShares(table.rebuild(batch), []);
      await nextTurn();
    }
  }

  async function handOnAll(rows: readonly ShareRow[], removed: readonly ShareId[]): Promise<void> {
    const [first = [], ...others] = inBatches(rows, AT_ONCE);
    await deps.onShares(table.update(first, removed), removed);
    for (const batch of others) {
      await nextTurn();
      await deps.onShares(table.update(batch, []), []);
    }
  }

  async function readAllAgain(): Promise<void> {
    await deps.onProviders('all');
    const rows = await store.shares.all();
    const removed = table.idsBut(rows);
    const trust = await trustReader.all();
    await deps.onGap();
    await deps.onTrust(trust);
    await handOnAll(rows, removed);
  }

  const follower = createFollower(deps, caughtUp);
  return {
    async start() {
      const beganAt = now();
      // The number first: what is committed between the two reads is then handed on twice, not missed.
      upTo = await store.changes.latest();
      await deps.onProviders('all');
      const trust = await trustReader.all();
      const shares: Share[] = [];
      for (const batch of inBatches(await store.shares.all(), AT_ONCE)) {
        shares.push(...table.update(batch, []));
        await nextTurn();
      }
      deps.onStoreGood(beganAt);
      follower.start();
      return { shares, trust };
    },
    find: table.find,
    findByHost: table.findByHost,
    refreshProviders: () => rebuild(table.idsOf(() => true)),
    caughtUp,
    stop: follower.stop,
  };
}

/** Runs one at a time. A call joins the run that has not begun yet, so that all it saw before is in what it waits for. */
function createSingleFlight(run: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | null = null;
  let next: Promise<void> | null = null;
  const begin = (): Promise<void> => {
    next = null;
    running = run().finally(() => {
      running = null;
    });
    return running;
  };
  return () => {
    if (next !== null) return next;
    if (running === null) return begin();
    next = running.then(begin, begin);
    return next;
  };
}

/** Polls, and listens for commits of this process, until it is stopped. */
function createFollower(
  { store, pollMs = POLL_MS }: RouteFeedDeps,
  poll: () => Promise<void>,
): { readonly start: () => void; readonly stop: () => Promise<void> } {
  let timer: NodeJS.Timeout | null = null;
  let forgetCommits: (() => void) | null = null;
  let stopped = false;
  // A failure is in the log by now, and the next poll is on its way.
  const settle = (): Promise<void> => poll().catch(() => undefined);
  const tick = async (): Promise<void> => {
    await settle();
    if (!stopped) timer = setTimeout(tick, untilBeat(pollMs, performance.now()));
  };
  return {
    start() {
      forgetCommits = store.changes.onCommit(() => void settle());
      timer = setTimeout(tick, untilBeat(pollMs, performance.now()));
    },
    async stop() {
      stopped = true;
      forgetCommits?.();
      if (timer !== null) clearTimeout(timer);
      await settle();
    },
  };
}

/** What was handed on: the rows, to build shares from again, and the shares by id and by host. */
function createShareTable({ shareBase, cookieDomain, providerRef }: RouteFeedDeps) {
  const rows = new Map<ShareId, ShareRow>();
  const shares = new Map<ShareId, Share>();
  const byHost = new Map<string, Share>();

  function update(upsert: readonly ShareRow[], remove: readonly ShareId[]): readonly Share[] {
    for (const id of remove) forget(id);
    return upsert.map((row) => {
      forget(row.id);
      const share = routedShare(row, { base: shareBase, cookieDomain: cookieDomain() }, providerRef);
      rows.set(row.id, row);
      shares.set(row.id, share);
      for (const host of share.hosts) byHost.set(host, share);
      return share;
    });
  }

  function forget(id: ShareId): void {
    for (const host of shares.get(id)?.hosts ?? []) if (byHost.get(host)?.id === id) byHost.delete(host);
    rows.delete(id);
    shares.delete(id);
  }

  return {
    update,
    /** Those it holds that are not among `kept`. */
    idsBut: (kept: readonly ShareRow[]): readonly ShareId[] => {
      const ids = new Set(kept.map((row) => row.id));
      return [...rows.keys()].filter((id) => !ids.has(id));
    },
    idsOf: (isMeant: (row: ShareRow) => boolean): readonly ShareId[] =>
      [...rows.values()].filter(isMeant).map(({ id }) => id),
    /** Those that are still there. */
    rebuild: (ids: readonly ShareId[]) =>
      update(
        ids.flatMap((id) => rows.get(id) ?? []),
        [],
      ),
    find: (id: ShareId) => shares.get(id) ?? null,
    findByHost: (host: string) => byHost.get(host) ?? null,
  };
}

/** An outage is told when it begins and when it is over. */
function createHealthLog(log: Log): {
  readonly failed: (error: unknown) => void;
  readonly good: () => void;
} {
  let failing = false;
  return {
    failed(error) {
      if (!failing) log.error({ err: error }, 'Cannot follow the store');
      failing = true;
    },
    good() {
      if (failing) log.info({}, 'Following the store again');
      failing = false;
    },
  };
}

/** Shares that are built and handed on before something else gets a turn: a few milliseconds. */
const AT_ONCE = 250;
/** A copied cookie is dead within 2 s of logout on every gateway, with room for a slow read. */
const POLL_MS = 500;
