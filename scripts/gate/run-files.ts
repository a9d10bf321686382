// Runs test files side by side, each in a process group of its own, which is ended when the file does not end
// by itself.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ENGINES, ENGINE_NOTES } from '../../test/support/note-engine.ts';
import { type CoreTime, createIdleCores } from './idle-cores.ts';
import { type FileRun, type ToldEvent, failureText, hasFailed } from './verdict.ts';

export type RunOptions = {
  readonly atOnce: number;
  /** As many while the cores are idle; `atOnce` unless said. */
  readonly atMost?: number;
  /** Says how idle they are, where that is not this machine's to say. */
  readonly readCores?: () => CoreTime;
  readonly limitMs: number;
  readonly env: NodeJS.ProcessEnv;
  /** Takes what a file prints, and its failures, once it ended: those of several files don't mix. */
  readonly said: (text: string) => void;
};

/** One after the other is taken in the order given. */
export async function runFiles(files: readonly string[], options: RunOptions): Promise<readonly FileRun[]> {
  const waiting = [...files];
  const runs: FileRun[] = [];
  const alive = new Set<number>();
  const endAll = (): void => alive.forEach(endGroup);
  const interrupted = (signal: NodeJS.Signals): void => {
    endAll();
    process.kill(process.pid, signal);
  };
  process.once('exit', endAll);
  for (const signal of SIGNALS) process.once(signal, interrupted);
  const { atOnce, atMost = atOnce, readCores } = options;
  const idle = createIdleCores(() => waiting.length > 0, readCores);
  const work = async (_: unknown, lane: number): Promise<void> => {
    for (;;) {
      if (lane >= atOnce) await idle();
      const file = waiting.shift();
      if (file === undefined) return;
      runs.push(await runFile(file, options, alive));
    }
  };
  await Promise.all(Array.from({ length: atMost }, work));
  process.off('exit', endAll);
  for (const signal of SIGNALS) process.off(signal, interrupted);
  return runs;
}

/**
 * Those that failed while others used the cores are run again by themselves, one after the other: a fault of
 * the product fails twice. More than a few are no coincidence, and stay as they are.
 */
export async function runFailedAgain(
  runs: readonly FileRun[],
  options: RunOptions,
): Promise<readonly FileRun[]> {
  const failed = runs.filter(hasFailed);
  if (failed.length > MOST_AGAIN) return runs;
  const again = await runFiles(
    failed.map(({ file }) => file),
    { ...options, atOnce: 1, atMost: 1 },
  );
  return runs.map((run) => {
    const second = again.find(({ file }) => file === run.file);
    return second === undefined ? run : { ...second, first: run };
  });
}

async function runFile(file: string, options: RunOptions, alive: Set<number>): Promise<FileRun> {
  const { limitMs, said } = options;
  const folder = mkdtempSync(join(tmpdir(), 'doorward-gate-'));
  const [told, notes] = [join(folder, 'events'), join(folder, 'engines')];
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [`--import=${LIGHTER_HOOKS}`, `--test-reporter=${REPORTER}`, `--test-reporter-destination=${told}`, file],
    // A group of its own: what the file started ends with it.
    { stdio: ['ignore', 'pipe', 'pipe'], detached: true, env: { ...options.env, [ENGINE_NOTES]: notes } },
  );
  const { pid = 0 } = child;
  alive.add(pid);
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  let overMs: number | null = null;
  const limit = setTimeout(() => {
    overMs = limitMs;
    endGroup(pid);
  }, limitMs);
  const closed = once(child, 'close');
  const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
  clearTimeout(limit);
  // What it left behind holds its output open. It may be ending by itself; else it would live on.
  const reaper = setTimeout(() => {
    endGroup(pid);
    // What left the group is not waited for either.
    child.stdout.destroy();
    child.stderr.destroy();
  }, GRACE_MS);
  await closed;
  clearTimeout(reaper);
  alive.delete(pid);
  const run: FileRun = {
    file,
    events: linesOf(told).map((line) => JSON.parse(line) as ToldEvent),
    code,
    signal,
    overMs,
    tookMs: performance.now() - startedAt,
    engines: ENGINES.filter((engine) => linesOf(notes).includes(engine)),
    first: null,
  };
  rmSync(folder, { recursive: true, force: true });
  said(`${output}${failureText(run)}`);
  return run;
}

/** All that whole lines say: a file that was ended may have been writing one. */
function linesOf(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}

function endGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone.
  }
}

const REPORTER = join(import.meta.dirname, 'tell-events.ts');
const LIGHTER_HOOKS = join(import.meta.dirname, 'lighter-hooks.ts');
/** A server that is ended with its file deletes its folder first. */
const GRACE_MS = 5_000;
const MOST_AGAIN = 3;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
