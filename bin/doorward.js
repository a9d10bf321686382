#!/usr/bin/env node
// @ts-check
// The front door: hands the words of the command line to cli/, which is loaded through the cache of compiled code.

import { useCodeCache } from '../src/cli/code-cache.js';

useCodeCache(process.env);
const { main } = await import('../src/cli/main.ts');
const { processTerminal } = await import('../src/cli/process-terminal.ts');

process.exitCode = await main(process.argv.slice(2), processTerminal);
