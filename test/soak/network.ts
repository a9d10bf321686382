// Agent and gateway on two hosts, and what becomes of visitors when the cable between them is pulled, or
// either is killed.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { text } from 'node:stream/consumers';
import { layOutHosts } from './two-hosts.ts';
import type { NetworkFound } from './network-rig.ts';

/**
 * `downMs`: how long the cable is pulled, once each. Throws when something was answered wrongly, or never
 * came back.
 */
export async function tryNetwork(downMs: readonly number[]): Promise<NetworkFound> {
  const name = String(process.pid);
  const hosts = layOutHosts(name);
  try {
    const [program = '', ...words] = hosts.onGateway;
    const child = spawn(program, [...words, process.execPath, RIG, name, downMs.join()], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const kill = () => child.kill('SIGKILL');
    process.once('exit', kill);
    const [[code], found, said] = await Promise.all([
      once(child, 'close'),
      text(child.stdout),
      text(child.stderr),
    ]);
    process.off('exit', kill);
    if (code !== 0) throw new Error(`Cannot go through with it: ${said}`);
    return JSON.parse(found) as NetworkFound;
  } finally {
    hosts.remove();
  }
}

const RIG = fileURLToPath(new URL('network-rig.ts', import.meta.url));
