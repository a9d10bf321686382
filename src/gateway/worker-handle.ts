// One worker thread, as the main thread holds it: told of changes, asked for metrics, answered, drained,
// ended.

import type { ShareActivity } from '../domain/activity.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import type { CertificateUse } from '../domain/certificate-use.ts';
import type { SessionId } from '../domain/id.ts';
import type { Metric } from '../domain/metric.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { ServiceTokenUse } from '../domain/service-token.ts';
import type { Span } from '../domain/span.ts';
import type { RequestBatch } from '../domain/share-request.ts';
import type {
  CertificateQuestion,
  ConfirmQuestion,
  FromWorker,
  ProviderQuestion,
  ToWorker,
  TunnelQuestion,
  WorkerAnswer,
  WorkerQuestion,
  WorkerStart,
} from './messages.ts';
import type { WorkerThread } from './worker-thread.ts';

/** What workers ask and tell, and who answers. */
export type FromWorkers = {
  /** A rejection counts as `unavailable`. */
  readonly onSession: (id: SessionId) => Promise<WorkerAnswer>;
  readonly onRecheck: (id: SessionId) => Promise<WorkerAnswer>;
  readonly onConfirm: (question: ConfirmQuestion) => Promise<WorkerAnswer>;
  readonly onProvider: (question: ProviderQuestion) => Promise<WorkerAnswer>;
  readonly onTunnel: (question: TunnelQuestion) => Promise<WorkerAnswer>;
  readonly onCertificate: (question: CertificateQuestion) => Promise<WorkerAnswer>;
  readonly onAudit: (events: readonly AuditEvent[]) => void;
  readonly onSeen: (sessions: readonly { readonly id: SessionId; readonly at: number }[]) => void;
  readonly onActivity: (shares: readonly ShareActivity[]) => void;
  readonly onCertificatesSeen: (uses: readonly CertificateUse[]) => void;
  readonly onTokensSeen: (uses: readonly ServiceTokenUse[]) => void;
  /** At shares that `watch` named. */
  readonly onRequests: (batches: readonly RequestBatch[]) => void;
  readonly onSpans: (spans: readonly Span[], dropped: number) => void;
  /** Whole lines of JSON, newline included. */
  readonly onLog: (lines: string) => void;
  /** Something that should not happen, for the log. */
  readonly onFault: (message: string) => void;
};

type WorkerHandleOptions = FromWorkers & { readonly thread: WorkerThread };

/** One worker, as the main thread holds it. */
export type WorkerHandle = {
  readonly ready: Promise<{ readonly port: number }>;
  /** Resolves, with why, when the thread is gone. */
  readonly ended: Promise<string>;
  /** On the clock of `performance.now()`; null when it never listened. */
  readonly listeningSince: () => number | null;
  /** Resolves once the worker acknowledged, or failed to go by it, or is gone, or is too slow to wait for. */
  readonly tell: (message: ToWorker) => Promise<void>;
  readonly metrics: () => Promise<readonly Metric[] | null>;
  readonly drain: (deadlineMs: number) => Promise<void>;
  readonly end: () => Promise<void>;
};

export function createWorkerHandle(start: WorkerStart, options: WorkerHandleOptions): WorkerHandle {
  const { worker, begin } = options.thread;
  const ready = Promise.withResolvers<{ readonly port: number }>();
  const ended = Promise.withResolvers<string>();
  const waiting = new Map<number, (answer: readonly Metric[] | null) => void>();
  let count = 0;
  let listeningSince: number | null = null;
  let message = 'A data-plane worker ended';
  ready.promise.catch(() => {});
  const post = (told: ToWorker) => worker.postMessage(told, []);
  const answered = (id: number, answer: readonly Metric[] | null) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  };
  const request = (make: (id: number) => ToWorker): Promise<readonly Metric[] | null> => {
    const id = ++count;
    const { promise, resolve } = Promise.withResolvers<readonly Metric[] | null>();
    const timer = setTimeout(() => answered(id, null), ACK_LIMIT_MS);
    waiting.set(id, (answer) => {
      clearTimeout(timer);
      resolve(answer);
    });
    post(make(id));
    return promise;
  };
  worker.on('message', (heard: FromWorker) => {
    if (heard.type === 'ready') {
      listeningSince = performance.now();
      ready.resolve({ port: heard.port });
    } else if (heard.type === 'listen-failed') ready.reject(listenFault(heard));
    else if (heard.type === 'ack') {
      if (heard.fault !== null) options.onFault(heard.fault);
      answered(heard.id, null);
    } else if (heard.type === 'metrics') answered(heard.id, heard.metrics);
    else hear(heard, options, post);
  });
  worker.on('error', (error: unknown) => {
    message = `A data-plane worker failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`;
  });
  worker.on('exit', () => {
    ready.reject(new ServiceError('internal', message));
    for (const id of waiting.keys()) answered(id, null);
    ended.resolve(message);
  });
  worker.ref();
  begin(start);
  return {
    ready: ready.promise,
    ended: ended.promise,
    listeningSince: () => listeningSince,
    tell: async (told) => {
      await request((ack) => ({ ...told, ack }));
    },
    metrics: () => request((id) => ({ type: 'metrics', id })),
    drain: async (deadlineMs) => {
      post({ type: 'drain', deadlineMs });
      const timer = setTimeout(() => void worker.terminate(), deadlineMs + DRAIN_MARGIN_MS);
      const drained = Promise.withResolvers<void>();
      worker.on('message', (heard: FromWorker) => {
        if (heard.type === 'drained') drained.resolve();
      });
      await Promise.race([drained.promise, ended.promise]);
      clearTimeout(timer);
      await worker.terminate();
    },
    end: async () => {
      await worker.terminate();
    },
  };
}

type ListenFailed = Extract<FromWorker, { type: 'listen-failed' }>;
type Tiding = Exclude<FromWorker, { type: 'ready' | 'listen-failed' | 'ack' | 'metrics' }>;

function hear(heard: Tiding, options: WorkerHandleOptions, post: (message: ToWorker) => void): void {
  switch (heard.type) {
    case 'question': {
      const { id, question } = heard;
      void answerBy(askedOf(options, question), (answer) => post({ type: 'answer', id, answer }));
      break;
    }
    case 'seen':
      options.onSeen(heard.sessions);
      break;
    case 'certificates-seen':
      options.onCertificatesSeen(heard.uses);
      break;
    case 'tokens-seen':
      options.onTokensSeen(heard.uses);
      break;
    case 'activity':
      options.onActivity(heard.shares);
      break;
    case 'audit':
      options.onAudit(heard.events);
      break;
    case 'requests':
      options.onRequests(heard.batches);
      break;
    case 'log':
      options.onLog(heard.lines);
      break;
    case 'spans':
      options.onSpans(heard.spans, heard.dropped);
      break;
    case 'fault':
      options.onFault(heard.message);
      break;
    case 'drained':
      break;
  }
}

function askedOf(options: WorkerHandleOptions, question: WorkerQuestion): Promise<WorkerAnswer> {
  if (question.ask === 'certificate' || question.ask === 'challenge') return options.onCertificate(question);
  if (question.ask === 'tunnel') return options.onTunnel(question);
  if (question.ask === 'provider') return options.onProvider(question);
  if (question.ask === 'confirm') return options.onConfirm(question);
  return question.ask === 'session'
    ? options.onSession(question.sessionId)
    : options.onRecheck(question.sessionId);
}

async function answerBy(asked: Promise<WorkerAnswer>, answer: (given: WorkerAnswer) => void): Promise<void> {
  answer(await asked.catch((): WorkerAnswer => ({ kind: 'unavailable' })));
}

function listenFault({ code, message, bind, setting }: ListenFailed): ServiceError {
  const place = `${bind.host}:${bind.port}`;
  if (code === 'EADDRINUSE')
    return new ServiceError('address_in_use', `Cannot listen on ${place}: another program uses the address`, {
      hint: `Stop that program, or choose another ${setting}.`,
    });
  return new ServiceError('internal', `Cannot listen on ${place}: ${message}`);
}

/** A worker answers within a millisecond; one that is stuck must not hold up a change for all. */
const ACK_LIMIT_MS = 2_000;
const DRAIN_MARGIN_MS = 1_000;
