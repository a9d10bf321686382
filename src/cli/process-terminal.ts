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
  width: process.stdout.isTTY ? process.stdout.columns || null : null,
  env: process.env,
  readSecret: (prompt) => (process.stdin.isTTY ? askUnseen(prompt) : readAll()),
  ask: process.stdin.isTTY && process.stderr.isTTY ? askSeen : null,
};

for (const stream of [process.stdout, process.stderr]) stream.on('error', cannotWrite);

/**
 * `NO_COLOR` with any value but none means no colours (no-color.org); a dumb terminal knows none.
 * `FORCE_COLOR` colors pipes, too.
 */
export function showsColours(stream: { readonly isTTY?: boolean }, env: Terminal['env']): boolean {
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const forced = env['FORCE_COLOR'] ?? '';
  if (forced !== '') return forced !== '0' && forced !== 'false';
  return stream.isTTY === true && env['TERM'] !== 'dumb';
}

/**
 * A reader that went away, such as `head`, has what it wanted: the command ends without a word, as one that
 * the system's SIGPIPE ends. A command that stops in good order (stop-signals.ts) listens itself, and is left
 * to it.
 */
function cannotWrite(error: NodeJS.ErrnoException): void {
  if (process.stdout.listenerCount('error') > 1) return;
  if (error.code === 'EPIPE') process.exit(ENDED_BY_SIGPIPE);
  process.stderr.write(`error: Cannot write the answer: ${error.code ?? error.message}\n`);
  process.exit(FAILED);
}

async function askSeen(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const gone = new AbortController();
  // Ctrl+C and Ctrl+D: no answer.
  lines.once('SIGINT', () => lines.close()).once('close', () => gone.abort());
  try {
    return (await lines.question(question, { signal: gone.signal })).trim();
  } catch {
    process.stderr.write('\n');
    return '';
  } finally {
    lines.close();
  }
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
      throw new ServiceError('usage', 'Cannot read standard input: it is too long');
  }
  return new Secret(text.trim());
}

const FAILED = 1;
/** 128 and the number of the signal, as shells have it. */
const ENDED_BY_SIGPIPE = 141;
/** An API key has 46 characters. */
const MAX_SECRET_LENGTH = 4096;
