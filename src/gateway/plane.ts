// The main thread's side of the data plane: starts the workers, tells each of them every change, answers their questions,
// and starts another when one dies, with what is known by then.

import { Worker } from 'node:worker_threads';
import type { AuditEvent } from '../domain/audit-event.ts';
import type { SessionId, ShareId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { SessionState } from '../domain/session.ts';
import type { Share } from '../domain/share.ts';
import type {
  FromWorker,
  GateSettings,
  TlsMaterial,
  ToWorker,
  WorkerAnswer,
  WorkerStart,
} from './messages.ts';

export type DataPlaneOptions = {
  readonly start: Omit<WorkerStart, 'reusePort'>;
  readonly workers: number;
  /** The entry of the threads; `worker.ts` unless said. */
  readonly workerFile?: URL;
  /** A rejection counts as `unavailable`. */
  readonly onSession: (id: SessionId) => Promise<WorkerAnswer>;
  readonly onRecheck: (id: SessionId) => Promise<WorkerAnswer>;
  readonly onAudit: (events: readonly AuditEvent[]) => void;
  readonly onSeen: (sessions: readonly { readonly id: SessionId; readonly at: number }[]) => void;
  /** Whole lines of JSON, newline included. */
  readonly onLog: (lines: string) => void;
  /** Something that should not happen, for the log. */
  readonly onFault: (message: string) => void;
};

export type DataPlane = {
  /** Resolves with the port once every worker listens. Rejects with `address_in_use`, or whatever keeps them from it. */
  readonly ready: Promise<{ readonly port: number }>;
  /** Each resolves once every worker goes by it: the next request sees the change. */
  readonly shares: (upsert: readonly Share[], remove: readonly ShareId[]) => Promise<void>;
  readonly sessions: (states: readonly SessionState[]) => Promise<void>;
  /** Changes were missed: sessions are asked for again. */
  readonly forgetSessions: () => Promise<void>;
  readonly settings: (settings: GateSettings) => Promise<void>;
  readonly certificates: (certificates: readonly TlsMaterial[]) => Promise<void>;
  readonly storeGood: (at: number) => void;
  /** Each worker's `getMetricsAsJSON()`; a worker that does not answer is left out. */
  readonly metrics: () => Promise<readonly (readonly unknown[])[]>;
  /** Stops accepting, finishes what runs, cuts the rest at the deadline. */
  readonly drain: (deadlineMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export function createDataPlane(options: DataPlaneOptions): DataPlane {
  const hands = new Set<Hand>();
  const shares = new Map(options.start.shares.map((share) => [share.id, share]));
  let { settings, certificates, storeGoodAt } = options.start;
  let port = settings.bind.port;
  let closed = false;
  let failures = 0;

  const startWorker = (): Hand => {
    const start: WorkerStart = {
      settings: { ...settings, bind: { ...settings.bind, port } },
      certificates,
      shares: [...shares.values()],
      storeGoodAt,
      reusePort: options.workers > 1,
    };
    const hand = createHand(start, options);
    hands.add(hand);
    void replaceOnceEnded(hand);
    return hand;
  };
  const replaceOnceEnded = async (hand: Hand) => {
    const message = await hand.ended;
    hands.delete(hand);
    // One that never listened is the affair of whoever started it.
    if (closed || !hand.listened()) return;
    options.onFault(message);
    respawnIn(Math.min(RESPAWN_MS * 2 ** failures++, RESPAWN_LIMIT_MS));
  };
  const respawnIn = (ms: number) => setTimeout(() => void respawn(), ms).unref();
  const respawn = async () => {
    if (closed) return;
    try {
      await startWorker().ready;
      failures = 0;
    } catch (error) {
      options.onFault(String(error));
      respawnIn(RESPAWN_LIMIT_MS);
    }
  };
  const startAll = async () => {
    // The first settles the port when any is asked for (0).
    ({ port } = await startWorker().ready);
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
    forgetSessions: () => tellAll({ type: 'forget-sessions' }),
    settings: (next) => {
      settings = next;
      return tellAll({ type: 'settings', settings: next });
    },
    certificates: (next) => {
      certificates = next;
      return tellAll({ type: 'certificates', certificates: next });
    },
    storeGood: (at) => {
      storeGoodAt = at;
      for (const hand of hands) hand.post({ type: 'store-good', at });
    },
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

/** One worker, as the main thread holds it. */
type Hand = {
  readonly ready: Promise<{ readonly port: number }>;
  /** Resolves, with why, when the thread is gone. */
  readonly ended: Promise<string>;
  readonly listened: () => boolean;
  readonly post: (message: ToWorker) => void;
  /** Resolves once the worker acknowledged, or is gone, or is too slow to wait for. */
  readonly tell: (message: ToWorker) => Promise<void>;
  readonly metrics: () => Promise<readonly unknown[] | null>;
  readonly drain: (deadlineMs: number) => Promise<void>;
  readonly end: () => Promise<void>;
};

function createHand(start: WorkerStart, options: DataPlaneOptions): Hand {
  const worker = new Worker(options.workerFile ?? WORKER_FILE, { workerData: start });
  const ready = Promise.withResolvers<{ readonly port: number }>();
  const ended = Promise.withResolvers<string>();
  const waiting = new Map<number, (answer: readonly unknown[] | null) => void>();
  let count = 0;
  let listened = false;
  let message = 'A data-plane worker ended';
  ready.promise.catch(() => {});
  const post = (told: ToWorker) => worker.postMessage(told, []);
  const answered = (id: number, answer: readonly unknown[] | null) => {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  };
  const request = (make: (id: number) => ToWorker): Promise<readonly unknown[] | null> => {
    const id = ++count;
    const { promise, resolve } = Promise.withResolvers<readonly unknown[] | null>();
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
      listened = true;
      ready.resolve({ port: heard.port });
    } else if (heard.type === 'listen-failed') ready.reject(listenFault(start.settings, heard));
    else if (heard.type === 'ack') answered(heard.id, null);
    else if (heard.type === 'metrics') answered(heard.id, heard.metrics);
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
  return {
    ready: ready.promise,
    ended: ended.promise,
    listened: () => listened,
    post,
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

type Tiding = Exclude<FromWorker, { type: 'ready' | 'listen-failed' | 'ack' | 'metrics' }>;

function hear(heard: Tiding, options: DataPlaneOptions, post: (message: ToWorker) => void): void {
  switch (heard.type) {
    case 'question': {
      const { id, question } = heard;
      const asked = question.ask === 'session' ? options.onSession : options.onRecheck;
      void answerBy(asked(question.sessionId), (answer) => post({ type: 'answer', id, answer }));
      break;
    }
    case 'seen':
      options.onSeen(heard.sessions);
      break;
    case 'audit':
      options.onAudit(heard.events);
      break;
    case 'log':
      options.onLog(heard.lines);
      break;
    case 'fault':
      options.onFault(heard.message);
      break;
    case 'drained':
      break;
  }
}

async function answerBy(asked: Promise<WorkerAnswer>, answer: (given: WorkerAnswer) => void): Promise<void> {
  answer(await asked.catch((): WorkerAnswer => ({ kind: 'unavailable' })));
}

function listenFault(
  { bind }: GateSettings,
  { code, message }: { readonly code: string; readonly message: string },
): ServiceError {
  const place = `${bind.host}:${bind.port}`;
  if (code === 'EADDRINUSE')
    return new ServiceError('address_in_use', `Cannot listen on ${place}: another program does`, {
      hint: 'Stop that program, or choose another gateway.bind_address.',
    });
  return new ServiceError('internal', `Cannot listen on ${place}: ${message}`);
}

/** Beside this file, in the language that this file is in. */
const WORKER_FILE = new URL(import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js', import.meta.url);
/** A worker answers within a millisecond; one that is stuck must not hold up a change for all. */
const ACK_LIMIT_MS = 2_000;
const DRAIN_MARGIN_MS = 1_000;
/** A worker that dies again and again is started less and less often. */
const RESPAWN_MS = 50;
const RESPAWN_LIMIT_MS = 5_000;
