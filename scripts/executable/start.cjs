// @ts-check
// Where the single executable begins, and each of its threads: runs the thread's script with the code that V8
// compiled for it when the executable was built. A cache of Node's own would hold none of the functions that
// are compiled when they are first called, and threads have none at all.

const sea = require('node:sea');
const { Script } = require('node:vm');
const { isMainThread } = require('node:worker_threads');
const { availableParallelism } = require('node:os');

// As bin/doorward.js says.
if (isMainThread) process.env.UV_THREADPOOL_SIZE ??= String(16 * Math.max(2, availableParallelism()));

const filename = isMainThread ? 'main.cjs' : 'worker.cjs';
const compiled = `program/${filename}.compiled`;
const cache = sea.getAssetKeys().includes(compiled)
  ? { cachedData: Buffer.from(sea.getRawAsset(compiled)) }
  : {};
const source = Buffer.from(sea.getRawAsset(`program/${filename}`)).toString('latin1');
const run = new Script(source, { filename, ...cache }).runInThisContext();
run(require, module, exports, __filename, __dirname);
