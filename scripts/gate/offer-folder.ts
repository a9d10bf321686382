// Where test files keep what is theirs for a while: in memory, where the machine has enough. Every store
// waits for its disk at each commit, thousands of times, and nothing of a test outlives the machine.

import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { freemem } from 'node:os';
import { join } from 'node:path';

/**
 * For all processes that inherit the environment which `env` names; it is empty where a disk has to do.
 * `memory` is where the machine has a file system in memory.
 */
export function offerFolder(
  memory = '/dev/shm',
  leastBytes = LEAST_BYTES,
): Disposable & { readonly env: Readonly<Record<string, string>> } {
  if (!hasRoom(memory, leastBytes)) return { env: {}, [Symbol.dispose]: () => undefined };
  // A run that was killed could not remove its own.
  for (const name of readdirSync(memory))
    if (name.startsWith(NAME) && !isAlive(Number(name.slice(NAME.length)))) remove(join(memory, name));
  const folder = join(memory, `${NAME}${process.pid}`);
  mkdirSync(folder, { recursive: true });
  // As /tmp is: databases and proxies run as users of their own.
  chmodSync(folder, 0o1777);
  const env = runsPrograms(folder) ? { TMPDIR: folder } : {};
  return { env, [Symbol.dispose]: () => remove(folder) };
}

function hasRoom(memory: string, leastBytes: number): boolean {
  if (!existsSync(memory)) return false;
  const { bavail, bsize } = statfsSync(memory);
  return Math.min(bavail * bsize, freemem()) >= leastBytes;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Of another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Containers often forbid it there. */
function runsPrograms(folder: string): boolean {
  const program = join(folder, 'program');
  writeFileSync(program, '', { mode: 0o755 });
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false;
  } finally {
    rmSync(program);
  }
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

const NAME = 'doorward-gate-';
/** Several times what the test files that run at once have needed. */
const LEAST_BYTES = 8 * 1024 ** 3;
