// The entry of a data-plane thread: a gate on `parentPort`. A throw that nobody caught is told, and the
// thread goes on: the requests that it carries are not to blame for the one that broke.

import { once } from 'node:events';
import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { FromWorker, WorkerStart } from './messages.ts';
import { startGate } from './start-gate.ts';

if (parentPort === null) throw new TypeError('Cannot start a worker here: this is not a worker thread');
const port = parentPort;
const tell = (error: unknown) => {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  port.postMessage({ type: 'fault', message } satisfies FromWorker);
};
process.on('uncaughtException', tell);
process.on('unhandledRejection', tell);
// No await at the top: in the single executable a thread is a script.
void toldStart(workerData as MessagePort)
  .then((start) => startGate(port, start))
  .catch((error: unknown) => {
    tell(error);
    port.close();
  });

/** See `startWorkerThread()`. */
async function toldStart(channel: MessagePort): Promise<WorkerStart> {
  const [start] = (await once(channel, 'message')) as [WorkerStart];
  channel.close();
  return start;
}
