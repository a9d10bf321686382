// Podman as a program of its own folder: what it loads and starts is kept there, apart from this machine's.
// Where the machine does not let it start containers as it is, such as in another container, it gets its
// limits and its control groups from what the machine allows; its commands stay the same.

import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

const runFile = promisify(execFile);

export type Podman = {
  /** Called as `podman` is. */
  readonly program: string;
  /** Answers what it prints. Rejects with what it said where it fails. */
  readonly run: (words: readonly string[]) => Promise<string>;
  /** All that a container printed. */
  readonly logs: (container: string) => Promise<string>;
  /** Ends every container, and gives up their mounts. */
  readonly close: () => Promise<void>;
};

/**
 * Loads the image, and finds out by running it how containers can be started here. Answers why they can't
 * where no way works.
 */
export async function startPodman(options: {
  /** Empty; must be reachable by every user. */
  readonly folder: string;
  /** An archive of an image. */
  readonly archive: string;
  /** What the image is called, and words that it takes and ends by itself. */
  readonly trial: readonly string[];
}): Promise<Podman | { readonly missing: string }> {
  const { folder, archive, trial } = options;
  if (spawnSync('podman', ['--version']).error !== undefined) return { missing: 'podman is not installed' };
  if (process.getuid?.() !== 0) return { missing: 'podman is tried as root alone' };
  const program = join(folder, 'podman');
  const said: string[] = [];
  writeSettings(folder);
  for (const prepare of WAYS) {
    writeFileSync(program, startScript(folder, prepare), { mode: 0o755 });
    const podman = called(program);
    try {
      if (said.length === 0) await podman.run(['load', '-q', '-i', archive]);
      await podman.run(['run', '--rm', '--network', 'host', '--read-only', ...trial]);
      return podman;
    } catch (error) {
      said.push(String(error).trim().split('\n').at(-1) ?? '');
      await podman.close();
    }
  }
  return { missing: `podman starts no containers here: ${said.join('; ')}` };
}

function called(program: string): Podman {
  const call = (words: readonly string[]) =>
    runFile(program, words, { timeout: LIMIT_MS, maxBuffer: MOST_PRINTED });
  return {
    program,
    run: async (words) => (await call(words)).stdout,
    logs: async (container) => {
      const { stdout, stderr } = await call(['logs', container]);
      return `${stdout}${stderr}`;
    },
    close: async () => {
      await call(['rm', '--all', '--force', '--time', '0']).catch(() => undefined);
      // Podman leaves it mounted on itself.
      await runFile('umount', ['--lazy', join(dirname(program), 'storage/overlay')]).catch(() => undefined);
    },
  };
}

function writeSettings(folder: string): void {
  const files = spawnSync('sh', ['-c', 'ulimit -H -n'], { encoding: 'utf8' }).stdout.trim();
  for (const name of ['storage', 'run', 'tmp']) mkdirSync(join(folder, name));
  writeFileSync(
    join(folder, 'storage.conf'),
    `[storage]\ndriver = "overlay"\ngraphroot = "${folder}/storage"\nrunroot = "${folder}/run"\n`,
  );
  writeFileSync(
    join(folder, 'containers.conf'),
    // By itself podman asks for more than this machine may allow. A control group of its own would get the
    // part of one process, however many are in it.
    `[containers]\ncgroups = "disabled"\ndefault_ulimits = ["nofile=${files}:${files}", "nproc=${PROCESSES}:${PROCESSES}"]\n` +
      `[engine]\ntmp_dir = "${folder}/tmp"\nevents_logger = "file"\n`,
  );
}

function startScript(folder: string, prepare: string): string {
  return `#!/bin/sh
export CONTAINERS_CONF=${folder}/containers.conf CONTAINERS_STORAGE_CONF=${folder}/storage.conf
${prepare}
`;
}

const WAYS = [
  'exec podman "$@"',
  // crun refuses two versions of control groups beside each other.
  `exec unshare --mount --propagation private sh -ec 'umount -l /sys/fs/cgroup/unified; exec podman "$@"' podman "$@"`,
];
const PROCESSES = 4096;
const MOST_PRINTED = 64 * 1024 * 1024;
/** A busy machine unpacks the image. */
const LIMIT_MS = 120_000;
