// Which cores a process may use, by taskset(1).

import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { withChildren } from './process-cost.ts';
import { found } from './proxies/found.ts';

export function mayPin(): boolean {
  return found('taskset') !== null && cpus().length > 1;
}

/** All threads of the process and its children, and what they start; null for every core. */
export function pin(pid: number, core: number | null): void {
  const cores = core === null ? `0-${cpus().length - 1}` : String(core);
  for (const each of withChildren(pid)) {
    const { status, stderr } = spawnSync('taskset', ['-a', '-c', '-p', cores, String(each)], {
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`Cannot pin process ${each} to core ${cores}: ${stderr}`);
  }
}
