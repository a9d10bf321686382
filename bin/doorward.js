#!/usr/bin/env node
// @ts-check
// The front door: hands the words of the command line to cli/, which is loaded through the cache of compiled
// code. A Node that is too old for the program must still be able to read this file, to say so: it is a
// script as well as a module.

/** As `engines` in package.json says. */
const NEEDED = { major: 26, minor: 10 };

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
if (major > NEEDED.major || (major === NEEDED.major && minor >= NEEDED.minor)) void start();
else {
  process.stderr.write(
    `error: Cannot run doorward on Node ${process.versions.node}: it needs Node ${NEEDED.major}.${NEEDED.minor} or newer\n` +
      'hint: In a checkout, run "npm run doorward -- …", which uses the Node that "npm ci" installed.\n',
  );
  process.exitCode = 1;
}

function start() {
  return import('../src/cli/code-cache.js')
    .then(({ useCodeCache }) => {
      useCodeCache(process.env);
      return Promise.all([import('../src/cli/main.ts'), import('../src/cli/process-terminal.ts')]);
    })
    .then(([{ main }, { processTerminal }]) => main(process.argv.slice(2), processTerminal))
    .then((code) => (process.exitCode = code));
}
