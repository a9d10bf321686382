// The terminal that the process was started in.

import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { Secret } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Terminal } from './terminal.ts';

export const processTerminal: Terminal = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
  colours: showsColours(process.stdout, process.env),
  env: process.env,
  readSecret: (prompt) => (process.stdin.isTTY ? askUnseen(prompt) : readAll()),
};

/** `NO_COLOR` with any value but none means no colours (no-color.org); a dumb terminal knows none. */
export function showsColours(stream: { readonly isTTY?: boolean }, env: Terminal['env']): boolean {
  return stream.isTTY === true && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}

/** What is typed goes to no screen and no history. */
async function askUnseen(prompt: string): Promise<Secret> {
  process.stderr.write(prompt);
  const unseen = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: process.stdin, output: unseen, terminal: true });
  try {
    return new Secret((await lines.question('')).trim());
  } finally {
    lines.close();
    process.stderr.write('\n');
  }
}

async function readAll(): Promise<Secret> {
  let text = '';
  for await (const chunk of process.stdin.setEncoding('utf8')) {
    text += String(chunk);
    if (text.length > MAX_SECRET_LENGTH)
      throw new ServiceError('usage', 'Cannot read standard input: it is too long for what is asked');
  }
  return new Secret(text.trim());
}

/** An API key has 46 characters. */
const MAX_SECRET_LENGTH = 4096;
