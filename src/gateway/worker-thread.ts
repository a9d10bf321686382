// A data-plane thread, from its start on. It loads its modules at once, and waits to be told what to begin
// with: that takes as long as whatever the main thread has to do until it knows.

import { MessageChannel, Worker } from 'node:worker_threads';
import { IS_EXECUTABLE, readProgramFile } from '../http/program-files.ts';
import type { WorkerStart } from './messages.ts';

export type WorkerThread = {
  readonly worker: Worker;
  /** Once. */
  readonly begin: (start: WorkerStart) => void;
};

/** `file` is the entry of the thread; `worker.ts` unless said. */
export function startWorkerThread(file?: URL): WorkerThread {
  const { port1, port2 } = new MessageChannel();
  const begin = { workerData: port2, transferList: [port2] };
  const worker =
    file === undefined && IS_EXECUTABLE
      ? new Worker(readProgramFile(THREAD_START).toString('utf8'), { ...begin, eval: true })
      : new Worker(file ?? WORKER_FILE, begin);
  return {
    worker,
    begin: (start) => port1.postMessage(start),
  };
}

const WORKER_FILE = new URL('./worker.ts', import.meta.url);
/** Of the single executable, where threads have no files: a script that runs that of the thread. */
const THREAD_START = 'program/start.cjs';
