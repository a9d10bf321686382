// A process of the build: `compile.ts FOLDER WORD…` runs the program of the single executable with these
// words until its first worker listens, and writes what V8 compiled on the way: for each script of the folder
// `program` in FOLDER, as `SCRIPT.compiled`. The worker runs in the same thread, so that it is one way each
// time.
//
// From the same scripts it is the same bytes each time, as long as no memory is used twice: what is between
// the values of a table is written as it lies there. `FLAGS` in compile-scripts.ts start it so.

import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { Script } from 'node:vm';
import * as threads from 'node:worker_threads';
import type { FromWorker } from '../../src/gateway/messages.ts';
import { MAIN, WORKER } from './scripts.ts';

const [node = '', , folder = '', ...words] = process.argv;
process.argv = [node, 'doorward', ...words];

const main = scriptOf(MAIN);
const worker = scriptOf(WORKER);
const own = createRequire(import.meta.url);
const sea = {
  isSea: () => true,
  getRawAsset: (path: string) => Uint8Array.from(readFileSync(join(folder, path))).buffer,
  getAssetKeys: () => [],
};

/** A thread as the program sees it: the script of the worker, with a port to it. */
function Worker(_text: string, { workerData }: threads.WorkerOptions) {
  const { port1, port2 } = new threads.MessageChannel();
  const parentPort = Object.assign(port1, {
    postMessage: (message: FromWorker) => {
      if (message.type === 'ready') end();
    },
  });
  run(worker, { ...threads, isMainThread: false, parentPort, workerData });
  return Object.assign(port2, { terminate: async () => 0 });
}

function run(script: Script, workerThreads: object): void {
  const stubs: Readonly<Record<string, unknown>> = { 'node:sea': sea, 'node:worker_threads': workerThreads };
  const required = (id: string): unknown => stubs[id] ?? own(id);
  const start = script.runInThisContext() as (...given: readonly unknown[]) => void;
  start(required, {}, {}, process.execPath, '');
}

function end(): never {
  // Code is taken back only by a V8 with the same flags.
  setFlagsFromString('--initial-old-space-size=0');
  writeFileSync(fileOf(MAIN), main.createCachedData());
  writeFileSync(fileOf(WORKER), worker.createCachedData());
  process.exit(0);
}

function scriptOf(filename: string): Script {
  return new Script(readFileSync(join(folder, 'program', filename), 'latin1'), { filename });
}

function fileOf(filename: string): string {
  return join(folder, 'program', `${filename}.compiled`);
}

// A busy machine is late: here nothing happens because time has passed.
for (const name of ['setTimeout', 'setInterval'] as const)
  Object.defineProperty(globalThis, name, {
    value: Object.assign(() => setImmediate(() => {}), { ...globalThis[name] }),
  });
performance.now = () => 0;
run(main, { ...threads, Worker });
