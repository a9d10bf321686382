// nginx as anybody sets it up before a backend: one worker, plain `proxy_pass`, kept connections both ways,
// no login. Its access log is buffered, as ours is.

import { spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestPair } from '../../test/support/certificates.ts';
import type { Peer } from './peer.ts';
import { runPeer } from './run-peer.ts';

/** `clientAuthority`: PEM of who issued the certificates that are then asked for. */
export type ServerTls = TestPair & { readonly clientAuthority?: string };

export function startNginx(binary: string, backendPort: number, pair: ServerTls | null): Promise<Peer> {
  return runPeer({
    name: 'nginx',
    version: spawnSync(binary, ['-v'], { encoding: 'utf8' }).stderr.replace('nginx version: ', '').trim(),
    binary,
    prepare: async (folder, port) => {
      if (pair !== null) {
        await writeFile(join(folder, 'server.pem'), pair.certificate);
        await writeFile(join(folder, 'server.key'), pair.key);
        await writeFile(join(folder, 'clients.pem'), pair.clientAuthority ?? '');
      }
      const file = join(folder, 'nginx.conf');
      await writeFile(file, configText({ folder, port, backendPort, tls: pair }));
      return ['-p', folder, '-e', join(folder, 'error.log'), '-c', file];
    },
  });
}

type Layout = {
  readonly folder: string;
  readonly port: number;
  readonly backendPort: number;
  readonly tls: ServerTls | null;
};

function configText({ folder, port, backendPort, tls }: Layout): string {
  // Without `user`, a worker started by root could not write into the folder.
  const user = process.getuid?.() === 0 ? 'user root;' : '';
  return `
${user}
daemon off;
worker_processes 1;
pid ${folder}/pid;
worker_rlimit_nofile ${DESCRIPTORS};
events { worker_connections ${CONNECTIONS}; }
http {
  access_log ${folder}/access.log combined buffer=64k flush=200ms;
  client_body_temp_path ${folder}/body;
  proxy_temp_path ${folder}/proxy;
  fastcgi_temp_path ${folder}/fastcgi;
  uwsgi_temp_path ${folder}/uwsgi;
  scgi_temp_path ${folder}/scgi;
  keepalive_requests 100000000;
  map $http_upgrade $connection_upgrade { default upgrade; '' ''; }
  upstream backend {
    server 127.0.0.1:${backendPort};
    keepalive 64;
    keepalive_requests 100000000;
  }
  server {
    listen 127.0.0.1:${port}${tls === null ? '' : ' ssl http2'};
    ${tls === null ? '' : `ssl_certificate ${folder}/server.pem; ssl_certificate_key ${folder}/server.key;`}
    ${tls?.clientAuthority === undefined ? '' : `ssl_client_certificate ${folder}/clients.pem; ssl_verify_client on;`}
    location / {
      proxy_pass http://backend;
      proxy_http_version 1.1;
      proxy_set_header Host $host;
      proxy_set_header Upgrade $http_upgrade;
      proxy_set_header Connection $connection_upgrade;
      # A download that the visitor reads slowly is not written to disk.
      proxy_max_temp_file_size 0;
    }
  }
}
`;
}

const DESCRIPTORS = 20_000;
/** With less than a sixteenth of them free, nginx closes connections that have not asked yet. */
const CONNECTIONS = 2 * DESCRIPTORS;
