// Other tunnels to compare with, those that are found on PATH: chisel and frp, each as a server and a client
// on this machine, over plain TCP, without a login. They carry connections, and do not read requests.

import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort } from '../../test/support/free-port.ts';
import type { Carrier } from './carrier.ts';
import { found } from './found.ts';
import { accepts } from './run-peer.ts';

export type TunnelPeers = { readonly carriers: readonly Carrier[]; readonly close: () => Promise<void> };

/** One that does not start is left out. */
export async function startTunnelPeers(backendPort: number): Promise<TunnelPeers> {
  const folder = await mkdtemp(join(tmpdir(), 'doorward-tunnel-peers-'));
  const children: ChildProcess[] = [];
  const carriers: Carrier[] = [];
  const close = async () => {
    await Promise.all(children.map(ended));
    await rm(folder, { recursive: true, force: true });
  };
  for (const plan of [chisel, frp]) {
    const ports = { backend: backendPort, server: await freePort(), visitors: await freePort() };
    const commands = await plan(folder, ports);
    if (commands === null) continue;
    const [server, client] = commands.pair.map(([file, ...words]) =>
      spawn(file, words, { stdio: ['ignore', 'ignore', 'inherit'] }),
    );
    for (const child of [server, client]) if (child !== undefined) children.push(child.on('error', () => {}));
    if (server?.pid === undefined || client?.pid === undefined || !(await opens(ports.visitors))) {
      process.stderr.write(`bench: goes on without ${commands.title}: it did not start\n`);
      continue;
    }
    const { pid } = server;
    carriers.push({
      title: commands.title,
      pid: () => pid,
      agentPid: client.pid,
      port: ports.visitors,
      host: `127.0.0.1:${ports.visitors}`,
    });
  }
  return { carriers, close };
}

type Ports = { readonly backend: number; readonly server: number; readonly visitors: number };
type Command = readonly [file: string, ...words: string[]];
type Pair = { readonly title: string; readonly pair: readonly [Command, Command] };

async function chisel(_folder: string, { backend, server, visitors }: Ports): Promise<Pair | null> {
  const file = found('chisel');
  if (file === null) return null;
  return {
    title: `chisel ${versionOf(file)}`,
    pair: [
      [file, 'server', '--reverse', '--host', '127.0.0.1', '--port', String(server)],
      [file, 'client', `http://127.0.0.1:${server}`, `R:127.0.0.1:${visitors}:127.0.0.1:${backend}`],
    ],
  };
}

async function frp(folder: string, { backend, server, visitors }: Ports): Promise<Pair | null> {
  const [frps, frpc] = [found('frps'), found('frpc')];
  if (frps === null || frpc === null) return null;
  const files = { server: join(folder, 'frps.toml'), client: join(folder, 'frpc.toml') };
  await writeFile(
    files.server,
    `bindAddr = "127.0.0.1"\nbindPort = ${server}\nproxyBindAddr = "127.0.0.1"\n`,
  );
  await writeFile(
    files.client,
    `serverAddr = "127.0.0.1"\nserverPort = ${server}\nloginFailExit = false\n\n[[proxies]]\nname = "bench"\n` +
      `type = "tcp"\nlocalIP = "127.0.0.1"\nlocalPort = ${backend}\nremotePort = ${visitors}\n`,
  );
  return {
    title: `frp ${versionOf(frps)}`,
    pair: [
      [frps, '-c', files.server],
      [frpc, '-c', files.client],
    ],
  };
}

function versionOf(file: string): string {
  const { stdout } = spawnSync(file, ['--version'], { encoding: 'utf8' });
  return /\d+\.\d+\.\d+\S*/.exec(stdout)?.[0] ?? '';
}

async function opens(port: number): Promise<boolean> {
  for (const deadline = performance.now() + START_LIMIT_MS; performance.now() < deadline;) {
    if (await accepts(port)) return true;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return false;
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

const START_LIMIT_MS = 10_000;
