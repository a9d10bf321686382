// The main thread's side of the data plane: sends each change to every worker, and keeps what a worker that
// starts later has to know.

import type { TrustNews } from '../domain/certificate-trust.ts';
import type { ApiKeyId, MemberId, ShareId } from '../domain/id.ts';
import type { Metric } from '../domain/metric.ts';
import type { ServiceTokenNews } from '../domain/service-token.ts';
import type { SessionState } from '../domain/session.ts';
import { createShareBook } from '../domain/share-book.ts';
import type { Share } from '../domain/share.ts';
import type { TlsMaterial } from '../http/tls-contexts.ts';
import type { GateSettings, WorkerStart } from './messages.ts';
import { createServiceTokens } from './service-tokens.ts';
import { createStoreGood } from './store-good.ts';
import { createTrustRecord } from './trust-record.ts';
import type { FromWorkers } from './worker-handle.ts';
import { createWorkerSet } from './worker-set.ts';
import type { WorkerThread } from './worker-thread.ts';

export type DataPlaneOptions = FromWorkers & {
  readonly start: Omit<WorkerStart, 'reusePort' | 'storeGood'> & { readonly storeGoodAt: number };
  readonly workers: number;
  /** One that was started ahead, for the first worker. */
  readonly firstThread?: WorkerThread;
  /** The entry of the threads; `worker.ts` unless said. */
  readonly workerFile?: URL;
  /** One took the place of another that died, and knows of no session. */
  readonly onReplaced?: () => void;
};

export type DataPlane = {
  /**
   * Resolves with the port once every worker listens. Rejects with `address_in_use`, or whatever keeps them
   * from it.
   */
  readonly ready: Promise<{ readonly port: number }>;
  /** Each resolves once every worker goes by it: the next request sees the change. */
  readonly shares: (upsert: readonly Share[], remove: readonly ShareId[]) => Promise<void>;
  readonly sessions: (states: readonly SessionState[]) => Promise<void>;
  /**
   * To be called before sessions are read; what it answers tells of them as they were read, and fills in what
   * workers do not know. Whoever was not there yet when they were read does not hear of them: it was not told
   * which of them ended since.
   */
  readonly fillSessions: () => (states: readonly SessionState[]) => Promise<void>;
  readonly trust: (news: TrustNews) => Promise<void>;
  readonly tokens: (news: ServiceTokenNews) => Promise<void>;
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
  /** Of each worker; one that does not answer is left out. */
  readonly metrics: () => Promise<readonly (readonly Metric[])[]>;
  /** Stops accepting, finishes what runs, cuts the rest at the deadline. */
  readonly drain: (deadlineMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export function createDataPlane(options: DataPlaneOptions): DataPlane {
  const shares = createShareBook(options.start.shares);
  const trust = createTrustRecord(options.start.trust);
  const tokens = createServiceTokens(options.start.tokens);
  const storeGood = createStoreGood(options.start.storeGoodAt);
  let { settings, certificates, watched } = options.start;
  const workers = createWorkerSet({
    ...options,
    port: settings.bind.port,
    startAt: (port): WorkerStart => ({
      settings: { ...settings, bind: { ...settings.bind, port } },
      certificates,
      shares: shares.now(),
      trust: trust.all(),
      tokens: tokens.all(),
      watched,
      storeGood: storeGood.memory,
      reusePort: options.workers > 1,
    }),
  });
  const { tellAll } = workers;
  return {
    ready: workers.ready,
    shares: (upsert, remove) => {
      for (const id of remove) shares.remove(id);
      for (const share of upsert) shares.set(share);
      return tellAll({ type: 'shares', upsert, remove });
    },
    sessions: (states) => tellAll({ type: 'sessions', states }),
    fillSessions: () => {
      const tell = workers.tellPresent();
      return (states) => tell({ type: 'fill-sessions', states });
    },
    trust: (news) => {
      trust.tell(news);
      return tellAll({ type: 'trust', news });
    },
    tokens: (news) => {
      tokens.tell(news);
      return tellAll({ type: 'tokens', news });
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
    living: workers.living,
    metrics: workers.metrics,
    drain: workers.drain,
    close: workers.close,
  };
}
