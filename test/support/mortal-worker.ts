// A data-plane thread that dies, as by a crash, when it is told to forget sessions.

import { parentPort } from 'node:worker_threads';
import type { ToWorker } from '../../src/gateway/messages.ts';

await import('../../src/gateway/worker.ts');

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'forget-sessions') process.exit(1);
});
