// `npm run bench [-- --quick] [--only PART …] [--sessions N]`: what Doorward costs beside nginx on this
// machine (DESIGN 6). Prints the tables, and writes bench/RESULTS.md when everything was measured in full.
// Reports; never judges.

import { writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { partsOf, type Part } from './only.ts';
import { residentMb } from './process-cost.ts';
import { startBackendProcess, type BackendProcess } from './processes.ts';
import { startDoorward } from './proxies/doorward.ts';
import { startPeers } from './proxies/peers.ts';
import type { Peer } from './proxies/peer.ts';
import { report } from './report.ts';
import type { Measured, Results } from './results.ts';
import { measureCertificates } from './rows/certificates.ts';
import { measureCrowd } from './rows/crowd.ts';
import { measureDownload } from './rows/download.ts';
import { measureForwardAuth } from './rows/forward-auth.ts';
import { measureHalfLoad, measureMost } from './rows/half-load.ts';
import { measureHttp2 } from './rows/http2.ts';
import { measureInstalled } from './rows/installed.ts';
import { measureRequests } from './rows/requests.ts';
import { measureRules } from './rows/rules.ts';
import { measureSockets } from './rows/sockets.ts';
import { measureTunnel } from './rows/tunnel.ts';
import { measureWorkers } from './rows/workers.ts';
import { FULL, QUICK, type Size, withSessions } from './size.ts';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    sessions: { type: 'string' },
  },
});
const isWhole = !values.quick && values.only.length === 0 && values.sessions === undefined;
const wanted = withSessions(values.quick ? QUICK : FULL, values.sessions);
const text = report(await bench(wanted, partsOf(values.only)));
process.stdout.write(`\n${text}`);
if (isWhole) writeFileSync(new URL('RESULTS.md', import.meta.url), text);

async function bench(size: Size, parts: ReadonlySet<Part>): Promise<Results> {
  const loadBefore = loadavg()[0] ?? 0;
  const run = async <Found>(part: Part, take: () => Found | Promise<Found>): Promise<Found | null> => {
    if (!parts.has(part)) return null;
    process.stderr.write(`bench: ${part}\n`);
    return take();
  };
  const rules = await run('rules', () => measureRules(size));
  const backend = await startBackendProcess();
  try {
    const installed = await run('installed', () => measureInstalled(size, backend.port));
    const plain = await benchPlain({ size, backend, parts, run });
    const http2 = await run('http2', () => measureHttp2(size, backend.port));
    const workers = await run('workers', () => measureWorkers(size, backend.port));
    const certificates = await run('certificates', () => measureCertificates(size, backend.port));
    const tunnel = await run('tunnels', () => measureTunnel(size, backend.port));
    const forwardAuth = await run('forward-auth', () => measureForwardAuth(size, backend.port));
    const crowd = await run('crowd', () => measureCrowd(size, backend.port));
    return {
      command: ['npm run bench', ...(process.argv.length > 2 ? ['--', ...process.argv.slice(2)] : [])].join(
        ' ',
      ),
      date: new Date(),
      size,
      loadBefore,
      rules,
      installed,
      ...plain,
      http2,
      workers,
      certificates,
      tunnel,
      forwardAuth,
      crowd,
    };
  } finally {
    backend.close();
  }
}

type PlainBench = {
  readonly size: Size;
  readonly backend: BackendProcess;
  readonly parts: ReadonlySet<Part>;
  readonly run: <Found>(part: Part, take: () => Promise<Found>) => Promise<Found | null>;
};

type Plain = Pick<Measured, 'idle' | 'startsMs' | 'requests' | 'halfLoad' | 'download' | 'sockets'>;

/** What is asked over plain HTTP/1.1, of one process of each. */
async function benchPlain({
  size,
  backend,
  parts,
  run,
}: PlainBench): Promise<Plain & Pick<Results, 'versions'>> {
  const peers = await startPeers(backend.port, null);
  const { visitors, starts } = size;
  const doorward = await startDoorward({ backendPort: backend.port, visitors, shares: 2, starts });
  try {
    const nginx = first(peers);
    const idle = { nginxMb: residentMb(nginx.pid()), doorwardMb: doorward.idleMb };
    const withMany = parts.has('many-shares');
    const requests = await run(parts.has('requests') ? 'requests' : 'many-shares', () =>
      measureRequests({ size, backendPort: backend.port, peers, doorward, withMany }),
    );
    const halfLoad = await run('half-load', async () => {
      const most = requests?.authenticated ?? (await measureMost(size, doorward));
      return measureHalfLoad({ size, backend, nginx, doorward, most });
    });
    const download = await run('download', () => measureDownload({ size, nginx, doorward }));
    const sockets = await run('websockets', () => measureSockets({ size, nginx, doorward }));
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
