// nginx that answers every question of a proxy with 200, and looks at nothing: what any such answer costs.
// One worker, and a buffered access log, as the other nginx of the bench.

import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Peer } from './peer.ts';
import { runPeer } from './run-peer.ts';

export function startAnsweringNginx(binary: string): Promise<Peer> {
  return runPeer({
    name: 'nginx-200',
    version: '',
    binary,
    prepare: async (folder, port) => {
      const file = join(folder, 'nginx.conf');
      await writeFile(file, configText(folder, port));
      return ['-p', folder, '-e', join(folder, 'error.log'), '-c', file];
    },
  });
}

function configText(folder: string, port: number): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `
${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off;
worker_processes 1;
pid ${folder}/pid;
events {}
http {
  access_log ${folder}/access.log combined buffer=64k flush=200ms;
  ${paths.join(' ')}
  keepalive_requests 100000000;
  large_client_header_buffers 4 32k;
  server {
    listen 127.0.0.1:${port};
    location / { return 200; }
  }
}
`;
}
