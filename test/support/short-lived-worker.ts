// A data-plane thread that listens, and dies at once, whenever it is started.

import { parentPort } from 'node:worker_threads';
import type { FromWorker } from '../../src/gateway/messages.ts';

if (parentPort === null) throw new TypeError('Cannot die here: this is no worker thread');
const port = parentPort;
port.postMessage({ type: 'ready', port: 1 } satisfies FromWorker);
setImmediate(() => process.exit(1));
