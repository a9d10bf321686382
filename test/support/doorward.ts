// The command line under test: in this process where a test is about what a command does and says, and as a
// process of its own where it is about the process, its streams and how it ends.

import assert from 'node:assert/strict';
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { main } from '../../src/cli/main.ts';
import { Secret } from '../../src/domain/secret.ts';
import { compiled, FRONT_DOOR } from './front-door.ts';

export type Ended = { readonly code: number; readonly out: string; readonly err: string };

export type Surroundings = {
  /** All of it, but for where compiled code is kept. */
  readonly env?: Readonly<Record<string, string>>;
  /** What is piped into it. */
  readonly input?: string;
};

/** Without what a start costs: modules are loaded once for all commands of a test file. */
export async function callDoorward(
  words: readonly string[],
  { env = {}, input = '' }: Surroundings = {},
): Promise<Ended> {
  let [out, err] = ['', ''];
  // Options that stand for a variable are read from the process's own: one command at a time.
  const own = process.env;
  assert.ok(!isCalled, 'a command is under way');
  isCalled = true;
  process.env = { ...env };
  try {
    const code = await main(words, {
      out: (told) => void (out += told),
      err: (told) => void (err += told),
      env,
      readSecret: () => Promise.resolve(new Secret(input.trim())),
    });
    return { code, out, err };
  } finally {
    process.env = own;
    isCalled = false;
  }
}

export async function runDoorward(
  words: readonly string[],
  { env = {}, input = '' }: Surroundings = {},
): Promise<Ended> {
  const child = startDoorward(words, env);
  child.stdin.end(input);
  const [out, err, [code, signal]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>,
  ]);
  assert.ok(code !== null, `doorward ${words.join(' ')} was ended by ${signal}`);
  return { code, out, err };
}

export function startDoorward(
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): ChildProcessWithoutNullStreams {
  return spawn(process.execPath, [FRONT_DOOR, ...words], { env: { ...compiled(), ...env } });
}

let isCalled = false;
