// The proxies to compare with: nginx, and any of the others that is found on PATH. None of them asks for a
// login.

import { found } from './found.ts';
import { startHaproxy } from './haproxy.ts';
import type { Peer } from './peer.ts';
import { startNginx, type ServerTls } from './nginx.ts';

/**
 * `tls`: listens with TLS and HTTP/2 instead of plain. Throws when there is no nginx, or it does not start:
 * without it there are no ratios. The others are left out when they do not start.
 */
export async function startPeers(backendPort: number, tls: ServerTls | null): Promise<readonly Peer[]> {
  const nginx = found('nginx');
  if (nginx === null) throw new Error('Cannot measure: nginx is not on PATH\nhint: apt-get install nginx');
  const haproxy = found('haproxy');
  const peers = [await startNginx(nginx, backendPort, tls)];
  if (haproxy !== null && tls === null) {
    const started = await unlessBroken(() => startHaproxy(haproxy, backendPort));
    if (started !== null) peers.push(started);
  }
  return peers;
}

async function unlessBroken(start: () => Promise<Peer>): Promise<Peer | null> {
  try {
    return await start();
  } catch (error) {
    process.stderr.write(`bench: goes on without a peer: ${String(error)}\n`);
    return null;
  }
}
