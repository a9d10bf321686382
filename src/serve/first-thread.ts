// Starts the thread of the first worker before the rest of the service is even loaded: both take as long.
// Imports little.

import { startWorkerThread, type WorkerThread } from '../gateway/worker-thread.ts';

/** For `startService()`, which ends it; until then it keeps no process alive. */
export function startFirstThread(): WorkerThread {
  const thread = startWorkerThread();
  thread.worker.unref();
  return thread;
}
