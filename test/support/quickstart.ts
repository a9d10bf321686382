// The quick start as its users run it: a process of its own, in a folder of its own, at ports that are free.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { assertFree, portsFrom } from '../../src/cli/quickstart/ports.ts';
import type { Browser, BrowserAnswer } from './browser-by-hand.ts';
import { asInstalled, FRONT_DOOR } from './front-door.ts';
import { readForms } from './html-form.ts';
import { programCall } from './program-call.ts';

export type RunningQuickstart = {
  readonly port: number;
  /** The first line of its output. */
  readonly address: string;
  readonly output: () => string;
  readonly errors: () => string;
  /** Sends SIGINT, as Ctrl+C does; answers the exit code (null when it was killed) and how long it took. */
  readonly stop: () => Promise<{ readonly code: number | null; readonly tookMs: number }>;
};

/** Rejects with what it said when it ends before its address is out. */
export async function startQuickstart(options: {
  readonly dir: string;
  readonly port: number | null;
  /** The front door; the repository's unless said. */
  readonly program?: string;
}): Promise<RunningQuickstart> {
  const run = runQuickstart(options);
  const first = await Promise.race([run.firstLine, run.ended.then(() => null)]);
  if (first === null) throw new Error(`The quick start ended: ${run.errors()}`);
  const port = Number(new URL(first).port);
  const stop = async (): Promise<{ code: number | null; tookMs: number }> => {
    const asked = performance.now();
    run.child.kill('SIGINT');
    return { code: await run.ended, tookMs: performance.now() - asked };
  };
  return { port, address: first, output: run.output, errors: run.errors, stop };
}

/** For a start that is meant to fail: its exit code and what it said. */
export async function failQuickstart(options: {
  readonly dir: string;
  readonly port: number | null;
}): Promise<{ readonly code: number | null; readonly errors: string; readonly output: string }> {
  const run = runQuickstart(options);
  const code = await run.ended;
  return { code, errors: run.errors(), output: run.output() };
}

/** A port whose companions are free too, at this moment. */
export async function freeQuickstartPort(): Promise<number> {
  for (let tries = 0; tries < 50; tries++) {
    // Some in a row: above those of `listenPort()`, below those of outgoing connections.
    const port = 22_000 + Math.floor(Math.random() * 1_000) * 10;
    const free = await assertFree(portsFrom(port)).then(
      () => true,
      () => false,
    );
    if (free) return port;
  }
  assert.fail('no free ports');
}

/** Opens the address, answers the test provider's page, and ends where that leads. */
export async function logInAtQuickstart(
  browser: Browser,
  address: string,
  email: string,
): Promise<BrowserAnswer> {
  const { last } = await browser.follow(address);
  assert.match(last.body, /For tests only/);
  const form = readForms(last.body)[0];
  assert.ok(form !== undefined);
  const sent = await browser.submit(last, form, { email });
  return sent.location === null ? sent : (await browser.follow(sent.location)).last;
}

function runQuickstart({
  dir,
  port,
  program = FRONT_DOOR,
}: {
  readonly dir: string;
  readonly port: number | null;
  readonly program?: string;
}) {
  const words = ['quickstart', '--dir', dir, ...(port === null ? [] : ['--port', String(port)])];
  const { command, words: first } = programCall(program);
  const child = spawn(command, [...first, ...words], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: asInstalled(),
  });
  let output = '';
  let errors = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const lines = createInterface({ input: child.stdout });
  const firstLine = once(lines, 'line').then(([line]) => String(line));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, firstLine, ended, output: () => output, errors: () => errors };
}
