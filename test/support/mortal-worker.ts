// A data-plane thread that dies, as by a crash, when it is told that the last good poll was before all time (-1).

import { parentPort } from 'node:worker_threads';
import type { ToWorker } from '../../src/gateway/messages.ts';

await import('../../src/gateway/worker.ts');

parentPort?.on('message', (message: ToWorker) => {
  if (message.type === 'store-good' && message.at === -1) process.exit(1);
});
