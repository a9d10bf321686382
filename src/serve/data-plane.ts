// The data plane with the main thread behind it: who answers what its workers ask, and who is told of what
// they saw.

import type { PublicCertificates } from '../acme/public-certificates.ts';
import { createFailedKeys } from '../domain/failed-keys.ts';
import type { ProviderBook } from '../control/feed/provider-book.ts';
import type { RouteFeed } from '../control/feed/route-feed.ts';
import type { LiveRequests } from '../control/shares/live-requests/live-requests.ts';
import type { SessionId } from '../domain/id.ts';
import type { Log } from '../domain/log.ts';
import { goneSession } from '../domain/session.ts';
import type { CertificateQuestion, ConfirmQuestion, WorkerAnswer } from '../gateway/messages.ts';
import { createDataPlane, type DataPlane } from '../gateway/plane.ts';
import type { FromWorkers } from '../gateway/worker-handle.ts';
import type { WorkerThread } from '../gateway/worker-thread.ts';
import { confirmSession } from './confirmation.ts';
import { gateSettings, type InsideSockets } from './gate-settings.ts';
import type { Owed } from './owed.ts';
import type { Records } from './records.ts';
import { materialsOf, type Running } from './running.ts';
import type { SessionFill } from './session-fill.ts';
import type { SpanQueue } from './tracing/span-queue.ts';
import type { ShareMetrics } from './share-metrics.ts';
import { admitAgent } from './tunnel-admission.ts';

export type PlaneDeps = {
  readonly records: Records;
  readonly shareMetrics: Pick<ShareMetrics, 'add'>;
  /** Null without tracing. */
  readonly spans: Pick<SpanQueue, 'add'> | null;
  readonly book: ProviderBook;
  readonly feed: RouteFeed;
  readonly owed: Owed;
  readonly fill: SessionFill;
  readonly liveRequests: LiveRequests;
  readonly appendLog: (lines: string) => void;
  readonly now: () => number;
  readonly log: Log;
};

type PlaneStart = Pick<Awaited<ReturnType<RouteFeed['start']>>, 'shares' | 'trust' | 'tokens'> & {
  readonly sockets: InsideSockets;
  readonly firstThread: WorkerThread;
};

/** Starts it at once: a change that comes later is told to it. */
export function startDataPlane(running: Running, deps: PlaneDeps, start: PlaneStart): DataPlane {
  const { config } = running;
  const { shares, trust, tokens, sockets, firstThread } = start;
  return createDataPlane({
    workers: config.gateway.workers,
    firstThread,
    onReplaced: () => void deps.fill.begin(),
    start: {
      settings: gateSettings(config, sockets),
      certificates: materialsOf(running),
      shares,
      trust,
      tokens,
      watched: deps.liveRequests.wanted(),
      storeGoodAt: running.storeGoodAt,
    },
    ...questions(running, deps),
    ...news(deps),
  });
}

type Questions = Pick<
  FromWorkers,
  'onSession' | 'onRecheck' | 'onConfirm' | 'onProvider' | 'onTunnel' | 'onCertificate'
>;

function questions(running: Running, { records, book, feed, owed, now, log }: PlaneDeps): Questions {
  const failedKeys = createFailedKeys(now);
  const { store } = records;
  const { clientCertificates } = running.config.control;
  const lookUp = (id: SessionId) => sessionOf(records, owed, id);
  return {
    onSession: lookUp,
    onRecheck: async (id) => {
      const answer = await running.rooms.recheck(id);
      // Whoever asks may have joined a check that read the session before: an answer is read after its
      // question.
      return answer.kind === 'session' ? lookUp(id) : answer;
    },
    onConfirm: (question) =>
      owed.sessions.has(question.sessionId)
        ? lookUp(question.sessionId)
        : confirmed(records, feed, { question, at: now() }),
    onProvider: async ({ accountId, generation }) => ({
      kind: 'provider',
      name: book.usableBy(accountId).find((ref) => ref.generation === generation)?.name ?? null,
    }),
    onCertificate: (question) => aboutCertificate(running.publicCertificates, question),
    onTunnel: (question) =>
      admitAgent({ store, failedKeys, findProvider: book.find, clientCertificates, now, log }, question),
  };
}

function news({
  records,
  shareMetrics,
  spans,
  liveRequests,
  appendLog,
  log,
}: PlaneDeps): Omit<FromWorkers, keyof Questions> {
  const { sessions, certificates, serviceTokens } = records.store;
  return {
    onAudit: records.audit,
    onSeen: (seen) =>
      void sessions
        .seen(seen)
        .catch((error: unknown) => log.warn({ err: error }, 'Cannot note who was seen')),
    onActivity: (shares) => {
      records.count(shares);
      shareMetrics.add(shares);
    },
    onCertificatesSeen: (uses) =>
      void certificates
        .seen(uses)
        .catch((error: unknown) => log.warn({ err: error }, 'Cannot note which certificates were used')),
    onTokensSeen: (uses) =>
      void serviceTokens
        .seen(uses)
        .catch((error: unknown) => log.warn({ err: error }, 'Cannot note which service tokens were used')),
    onRequests: liveRequests.told,
    onSpans: spans === null ? () => undefined : spans.add,
    onLog: appendLog,
    onFault: (message) => log.error({ message }, 'A worker of the data plane failed'),
  };
}

async function aboutCertificate(
  certificates: PublicCertificates | null,
  { ask, host }: CertificateQuestion,
): Promise<WorkerAnswer> {
  if (certificates === null) return { kind: 'unavailable' };
  if (ask === 'challenge') return { kind: 'challenge', material: await certificates.alpn(host) };
  await certificates.awaited(host);
  return { kind: 'certificate' };
}

async function sessionOf({ store }: Records, owed: Owed, id: SessionId): Promise<WorkerAnswer> {
  if (owed.sessions.has(id)) return { kind: 'session', state: goneSession(id) };
  try {
    return { kind: 'session', state: await store.sessions.state(id) };
  } catch {
    // The feed tells the log of an outage, once.
    return { kind: 'unavailable' };
  }
}

/**
 * What it takes the place of is over at every worker by the answer; another gateway hears of it as of any
 * end.
 */
async function confirmed(
  { store }: Records,
  feed: RouteFeed,
  { question, at }: { readonly question: ConfirmQuestion; readonly at: number },
): Promise<WorkerAnswer> {
  const answer = await confirmSession(store.sessions, question, at);
  if (answer.kind === 'session') await feed.caughtUp().catch(() => undefined);
  return answer;
}
