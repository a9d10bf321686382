// The workers of the data plane: starts as many as are configured, and another when one dies.

import type { Metric } from '../domain/metric.ts';
import type { ToWorker, WorkerStart } from './messages.ts';
import { createWorkerHandle, type FromWorkers, type WorkerHandle } from './worker-handle.ts';
import { startWorkerThread, type WorkerThread } from './worker-thread.ts';

export type WorkerSetOptions = FromWorkers & {
  readonly workers: number;
  /** One that was started ahead, for the first worker. */
  readonly firstThread?: WorkerThread;
  /** The entry of the threads; `worker.ts` unless said. */
  readonly workerFile?: URL;
  /** One took the place of another that died, and listens. */
  readonly onReplaced?: () => void;
  /** Where the first one listens; 0 for any port, which the others then share. */
  readonly port: number;
  /** What one that starts now has to know. */
  readonly startAt: (port: number) => WorkerStart;
};

export type WorkerSet = {
  /** Resolves with the port once every worker listens. */
  readonly ready: Promise<{ readonly port: number }>;
  /** Resolves once every worker applied it. */
  readonly tellAll: (message: ToWorker) => Promise<void>;
  /**
   * What it answers tells, at any time later, those alone that are here now: of what was read meanwhile, one
   * that starts later missed the changes.
   */
  readonly tellPresent: () => (message: ToWorker) => Promise<void>;
  /** How many listen now. */
  readonly living: () => number;
  readonly metrics: () => Promise<readonly (readonly Metric[])[]>;
  readonly drain: (deadlineMs: number) => Promise<void>;
  readonly close: () => Promise<void>;
};

export function createWorkerSet(options: WorkerSetOptions): WorkerSet {
  const handles = new Set<WorkerHandle>();
  let { port } = options;
  let closed = false;
  let failures = 0;

  const startWorker = (thread = startWorkerThread(options.workerFile)): WorkerHandle => {
    const handle = createWorkerHandle(options.startAt(port), { ...options, thread });
    handles.add(handle);
    void replaceOnceEnded(handle);
    return handle;
  };
  const replaceOnceEnded = async (handle: WorkerHandle) => {
    const message = await handle.ended;
    handles.delete(handle);
    const listeningSince = handle.listeningSince();
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
      options.onReplaced?.();
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
  const ready = startAll();
  ready.catch(() => {});
  return {
    ready,
    tellAll: (message) => tellEach(handles, message),
    tellPresent: () => {
      const present = new Set(handles);
      return (message) => tellEach(present.intersection(handles), message);
    },
    living: () => Array.from(handles).filter((handle) => handle.listeningSince() !== null).length,
    metrics: async () => {
      const all = await Promise.all(Array.from(handles, (handle) => handle.metrics()));
      return all.filter((metrics) => metrics !== null);
    },
    drain: async (deadlineMs) => {
      closed = true;
      await Promise.all(Array.from(handles, (handle) => handle.drain(deadlineMs)));
    },
    close: async () => {
      closed = true;
      await Promise.all(Array.from(handles, (handle) => handle.end()));
    },
  };
}

async function tellEach(told: Iterable<WorkerHandle>, message: ToWorker): Promise<void> {
  await Promise.all(Array.from(told, (handle) => handle.tell(message)));
}

/**
 * A worker that dies again and again is started less and less often, until one lives for as long as the
 * longest wait.
 */
const RESPAWN_MS = 50;
const RESPAWN_LIMIT_MS = 5_000;
