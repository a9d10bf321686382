#!/usr/bin/env node
// The front door: hands the words of the command line to cli/.

import { main } from '../src/cli/main.ts';
import { processTerminal } from '../src/cli/process-terminal.ts';

process.exitCode = await main(process.argv.slice(2), processTerminal);
