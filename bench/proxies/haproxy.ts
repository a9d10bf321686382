// HAProxy before the backend: one thread, kept connections both ways, no login, no log.

import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Peer } from './peer.ts';
import { runPeer } from './run-peer.ts';

export async function startHaproxy(binary: string, backendPort: number): Promise<Peer> {
  return runPeer({
    name: 'haproxy',
    version: execFileSync(binary, ['-v'], { encoding: 'utf8' }).split(' ', 3).slice(0, 3).join(' '),
    binary,
    prepare: async (folder, port) => {
      const file = join(folder, 'haproxy.cfg');
      await writeFile(file, configText(port, backendPort));
      return ['-db', '-f', file];
    },
  });
}

function configText(port: number, backendPort: number): string {
  return `
global
  nbthread 1
defaults
  mode http
  option http-keep-alive
  http-reuse always
  timeout connect 5s
  timeout client 60s
  timeout server 60s
  timeout tunnel 1h
frontend visitors
  bind 127.0.0.1:${port}
  default_backend backend
backend backend
  option forwardfor
  server only 127.0.0.1:${backendPort}
`;
}
