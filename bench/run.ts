// `npm run bench [-- --quick]`: what Doorward costs beside nginx on this machine (DESIGN 6). Prints the
// tables and writes bench/RESULTS.md (`--quick` only prints). Reports; never judges.

import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { residentMb } from './process-cost.ts';
import { startBackendProcess } from './processes.ts';
import { startDoorward } from './proxies/doorward.ts';
import { startPeers } from './proxies/peers.ts';
import type { Peer } from './proxies/peer.ts';
import { report } from './report.ts';
import type { Results } from './results.ts';
import { measureCertificates } from './rows/certificates.ts';
import { measureCrowd } from './rows/crowd.ts';
import { measureDownload } from './rows/download.ts';
import { measureHalfLoad } from './rows/half-load.ts';
import { measureHttp2 } from './rows/http2.ts';
import { measureRequests } from './rows/requests.ts';
import { measureRules } from './rows/rules.ts';
import { measureSockets } from './rows/sockets.ts';
import { measureTunnel } from './rows/tunnel.ts';
import { FULL, QUICK, type Size } from './size.ts';
import { median } from './subject.ts';

const { values } = parseArgs({ options: { quick: { type: 'boolean', default: false } } });
const text = report(await bench(values.quick ? QUICK : FULL, values.quick));
process.stdout.write(`\n${text}`);
if (!values.quick) writeFileSync(new URL('RESULTS.md', import.meta.url), text);

async function bench(size: Size, quick: boolean): Promise<Results> {
  const loadBefore = loadavg()[0] ?? 0;
  say('rules');
  const rules = measureRules(size);
  const backend = await startBackendProcess();
  try {
    const plain = await benchPlain(size, backend.port);
    say('HTTP/2 over TLS');
    const http2 = await measureHttp2(size, backend.port);
    say('client certificates');
    const certificates = await measureCertificates(size, backend.port);
    say('tunnels');
    const tunnel = await measureTunnel(size, backend.port);
    say('very many shares and sessions');
    const crowd = await measureCrowd(size, backend.port);
    return {
      command: `npm run bench${quick ? ' -- --quick' : ''}`,
      date: new Date(),
      size,
      loadBefore,
      ...plain,
      http2,
      certificates,
      crowd,
      rules,
      tunnel,
    };
  } finally {
    backend.close();
  }
}

async function benchPlain(size: Size, backendPort: number) {
  say('start, idle memory');
  const peers = await startPeers(backendPort, null);
  const { visitors, starts } = size;
  const doorward = await startDoorward({ backendPort, visitors, shares: 2, starts });
  try {
    const nginx = first(peers);
    const idle = { nginxMb: residentMb(nginx.pid()), doorwardMb: doorward.idleMb };
    say('requests');
    const requests = await measureRequests({ size, backendPort, peers, doorward });
    const perSecond = Math.round(median(requests.authenticated.map((measure) => measure.perSecond)) / 2);
    say('half load while people log in');
    const halfLoad = await measureHalfLoad({ size, backendPort, nginx, doorward, perSecond });
    say('download');
    const download = await measureDownload({ size, nginx, doorward });
    say('WebSockets');
    const sockets = await measureSockets({ size, nginx, doorward });
    const { startsMs } = doorward;
    return { versions: versions(peers), idle, requests, halfLoad, download, sockets, startsMs };
  } finally {
    await doorward.close();
    for (const peer of peers) await peer.close();
  }
}

function first(peers: readonly Peer[]): Peer {
  const [nginx] = peers;
  if (nginx === undefined) throw new Error('Cannot measure: there is no nginx');
  return nginx;
}

/** Of Node and the peers, as they name themselves. */
function versions(peers: readonly Peer[]): readonly string[] {
  return [`Node ${process.versions.node}`, ...peers.map(({ version }) => version)];
}

function say(what: string): void {
  process.stderr.write(`bench: ${what}\n`);
}
