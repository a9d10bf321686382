#!/usr/bin/env node
// @ts-check
// The front door: hands the words of the command line to cli/, which is loaded through the cache of compiled
// code. A Node that is too old for the program must still be able to read this file, to say so: it is a
// script as well as a module.

/** As `engines` in package.json says: these lines of Node, each from that minor version on. */
const LINES = { 22: 18, 24: 11, 26: 10 };

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
/** @type {number | undefined} */
const least = LINES[/** @type {keyof typeof LINES} */ (major)];
if (least !== undefined && minor >= least) void start();
else {
  process.stderr.write(
    `error: Cannot run doorward on Node ${process.versions.node}: it needs Node 22.18, 24.11 or 26.10, or a newer version of one of these lines\n` +
      'hint: Install one of them. In a checkout, run "npm run doorward -- …", which uses the Node that "npm ci" installed.\n',
  );
  process.exitCode = 1;
}

function start() {
  // Half of libuv's threads ask for names (src/providers/name-places.ts). Said before anything uses one.
  const { availableParallelism } = process.getBuiltinModule('node:os');
  const { UV_THREADPOOL_SIZE = 16 * Math.max(2, availableParallelism()) } = process.env;
  Object.assign(process.env, { UV_THREADPOOL_SIZE });
  return Promise.all([import('../src/cli/code-cache.js'), import('../src/cli/known-warnings.js')])
    .then(([{ useCodeCache }, { hideKnownWarnings }]) => {
      hideKnownWarnings(process);
      useCodeCache(process.env);
      return Promise.all([import('../src/cli/main.ts'), import('../src/cli/process-terminal.ts')]);
    })
    .then(([{ main }, { processTerminal }]) => main(process.argv.slice(2), processTerminal))
    .then((code) => (process.exitCode = code));
}
