// The main thread's side of the data plane: starts the workers, tells each of them every change, answers their questions,
// and starts another when one dies, with what is known by then.

import type { TrustNews } from '../domain/certificate-trust.ts';
import type { ApiKeyId, MemberId, ShareId } from '../domain/id.ts';
import type { SessionState } from '../domain/session.ts';
import type { Share } from '../domain/share.ts';
import type { TlsMaterial } from '../http/tls-contexts.ts';
import type { GateSettings, ToWorker, WorkerStart } from './messages.ts';
import { createStoreGood } from './store-good.ts';
import { createTrustRecord } from './trust-record.ts';
import { createHand, type FromWorkers, type Hand } from './worker-hand.ts';
import { startWorkerThread, type WorkerThread } from './worker-thread.ts';

export type DataPlaneOptions = FromWorkers & {
  readonly start: Omit<WorkerStart, 'reusePort' | 'storeGood'> & { readonly storeGoodAt: number };
  readonly workers: number;
  /** One that was started ahead, for the first worker. */
  readonly firstThread?: WorkerThread;
  /** The entry of the threads; `worker.ts` unless said. */
  readonly workerFile?: URL;
};

export type DataPlane = {
  /** Resolves with the port once every worker listens. Rejects with `address_in_use`, or whatever keeps them from it. */
  readonly ready: Promise<{ readonly port: number }>;
  /** Each resolves once every worker goes by it: the next request sees the change. */
  readonly shares: (upsert: readonly Share[], remove: readonly ShareId[]) => Promise<void>;
  readonly sessions: (states: readonly SessionState[]) => Promise<void>;
  readonly trust: (news: TrustNews) => Promise<void>;
  /** These API keys, and what these members allowed, serve no tunnel any more. */
  readonly keysGone: (keys: readonly (ApiKeyId | MemberId)[]) => Promise<void>;
  /** Requests at these shares are told of, and at no others. */
  readonly watch: (shares: readonly ShareId[]) => Promise<void>;
  /** Changes were missed: sessions are asked for again. */
  readonly forgetSessions: () => Promise<void>;
  readonly settings: (settings: GateSettings) => Promise<void>;
  readonly certificates: (certificates: readonly TlsMaterial[]) => Promise<void>;
  /** `at`: when the last good poll of the store began, on the clock of `steadyNow()`. */
  readonly storeGood: (at: number) => void;
  /** How many workers listen now. */
  readonly living: () => number;
  /** Each worker's `getMetricsAsJSON()`; a worker that does not answer is left out. */
  readonly metrics: () => Promise<readonly (readonly unknown[])[]>;
  /** Stops accepting, finishes what runs, cuts the rest at the deadline. */
  readonly drain: (deadlineMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export function createDataPlane(options: DataPlaneOptions): DataPlane {
  const hands = new Set<Hand>();
  const shares = new Map(options.start.shares.map((share) => [share.id, share]));
  const trust = createTrustRecord(options.start.trust);
  const storeGood = createStoreGood(options.start.storeGoodAt);
  let { settings, certificates, watched } = options.start;
  let port = settings.bind.port;
  let closed = false;
  let failures = 0;

  const startWorker = (thread = startWorkerThread(options.workerFile)): Hand => {
    const start: WorkerStart = {
      settings: { ...settings, bind: { ...settings.bind, port } },
      certificates,
      shares: [...shares.values()],
      trust: trust.all(),
      watched,
      storeGood: storeGood.memory,
      reusePort: options.workers > 1,
    };
    const hand = createHand(start, { ...options, thread });
    hands.add(hand);
    void replaceOnceEnded(hand);
    return hand;
  };
  const replaceOnceEnded = async (hand: Hand) => {
    const message = await hand.ended;
    hands.delete(hand);
    const listeningSince = hand.listeningSince();
    // One that never listened is the affair of whoever started it.
    if (closed || listeningSince === null) return;
    options.onFault(message);
    if (performance.now() - listeningSince >= RESPAWN_LIMIT_MS) failures = 0;
    respawnIn(Math.min(RESPAWN_MS * 2 ** failures++, RESPAWN_LIMIT_MS));
  };
  const respawnIn = (ms: number) => setTimeout(() => void respawn(), ms).unref();
  const respawn = async () => {
    if (closed) return;
    try {
      await startWorker().ready;
    } catch (error) {
      options.onFault(String(error));
      respawnIn(RESPAWN_LIMIT_MS);
    }
  };
  const startAll = async () => {
    // The first settles the port when any is asked for (0).
    ({ port } = await startWorker(options.firstThread).ready);
    const others = Array.from({ length: options.workers - 1 }, () => startWorker().ready);
    await Promise.all(others);
    return { port };
  };
  const tellAll = async (message: ToWorker) => {
    await Promise.all(Array.from(hands, (hand) => hand.tell(message)));
  };
  const ready = startAll();
  ready.catch(() => {});
  return {
    ready,
    shares: (upsert, remove) => {
      for (const id of remove) shares.delete(id);
      for (const share of upsert) shares.set(share.id, share);
      return tellAll({ type: 'shares', upsert, remove });
    },
    sessions: (states) => tellAll({ type: 'sessions', states }),
    trust: (news) => {
      trust.tell(news);
      return tellAll({ type: 'trust', news });
    },
    keysGone: (keys) => tellAll({ type: 'keys-gone', keys }),
    watch: (next) => {
      watched = next;
      return tellAll({ type: 'watch', shares: next });
    },
    forgetSessions: () => tellAll({ type: 'forget-sessions' }),
    settings: (next) => {
      settings = next;
      return tellAll({ type: 'settings', settings: next });
    },
    certificates: (next) => {
      certificates = next;
      return tellAll({ type: 'certificates', certificates: next });
    },
    storeGood: storeGood.tell,
    living: () => Array.from(hands).filter((hand) => hand.listeningSince() !== null).length,
    metrics: async () => {
      const all = await Promise.all(Array.from(hands, (hand) => hand.metrics()));
      return all.filter((metrics) => metrics !== null);
    },
    drain: async (deadlineMs) => {
      closed = true;
      await Promise.all(Array.from(hands, (hand) => hand.drain(deadlineMs)));
    },
    close: async () => {
      closed = true;
      await Promise.all(Array.from(hands, (hand) => hand.end()));
    },
  };
}

/** A worker that dies again and again is started less and less often, until one lives for as long as the longest wait. */
const RESPAWN_MS = 50;
const RESPAWN_LIMIT_MS = 5_000;
