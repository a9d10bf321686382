// What tests of a running `doorward serve` do beside `service-process.ts`: change its configuration, signal
// it, read its log, and wait until something it does can be seen.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { FRONT_DOOR } from './front-door.ts';
import type { ServiceProcess } from './service-process.ts';

/** The configuration as the file has it, to be changed in place. */
export type ConfigTree = Record<string, Record<string, unknown>> & {
  oauth: Record<string, unknown> & { providers: Record<string, unknown>[] };
};

export type LogLine = Readonly<Record<string, unknown>> & { readonly level: string; readonly msg: string };

/** What is needed of a running service. */
type Served = Pick<ServiceProcess, 'folder' | 'logFile' | 'pid'>;

export function configFileOf(service: Pick<Served, 'folder'>): string {
  return join(service.folder, 'doorward.yaml');
}

export function changeConfig(service: Pick<Served, 'folder'>, change: (config: ConfigTree) => void): void {
  const config = JSON.parse(readFileSync(configFileOf(service), 'utf8')) as ConfigTree;
  change(config);
  writeFileSync(configFileOf(service), JSON.stringify(config, null, 2));
}

export function logOf(service: Pick<Served, 'logFile'>): readonly LogLine[] {
  const lines = readFileSync(service.logFile, 'utf8').split('\n');
  return lines.filter((line) => line.startsWith('{')).map((line) => JSON.parse(line) as LogLine);
}

/** Sends SIGHUP; answers the line that says how it went. */
export async function hangUp(service: Served): Promise<LogLine> {
  const before = logOf(service).length;
  process.kill(service.pid(), 'SIGHUP');
  return eventually('the log tells of the reload', () =>
    logOf(service)
      .slice(before)
      .find(({ msg }) => /^(Reloaded|Cannot reload) the configuration/.test(msg)),
  );
}

/** A `doorward serve` that is meant to fail: its exit code and what it said. */
export async function failToServe(
  configFile: string,
): Promise<{ readonly code: number | null; readonly said: string }> {
  const child = spawn(process.execPath, [FRONT_DOOR, 'serve', '--config', configFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: LIMIT_MS,
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  return { code: code as number | null, said };
}

/** What `look` answers once it is neither undefined, null nor false. */
export async function eventually<T>(
  what: string,
  look: () => T | Promise<T>,
): Promise<NonNullable<Exclude<T, false>>> {
  const deadline = performance.now() + LIMIT_MS;
  while (performance.now() < deadline) {
    const seen = await look();
    if (seen !== undefined && seen !== null && seen !== false) return seen as NonNullable<Exclude<T, false>>;
    await pause(LOOK_MS);
  }
  assert.fail(`waited for ${LIMIT_MS / 1000} s: ${what}`);
}

/** Far more than anything here takes, on a busy machine. */
const LIMIT_MS = 60_000;
const LOOK_MS = 20;
