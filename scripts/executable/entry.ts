// Where the single executable begins: what bin/doorward.js does, without what a Node that is too old, or a
// cache of code, would need.

import { main } from '../../src/cli/main.ts';
import { processTerminal } from '../../src/cli/process-terminal.ts';

void main(process.argv.slice(2), processTerminal).then((code) => (process.exitCode = code));
