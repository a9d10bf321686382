// A share that an agent serves, beside the same backend reached directly, and beside other tunnels that are
// found on PATH: requests, one large answer, and CPU at both ends.

import { startAgentProcess } from '../../test/support/agent-process.ts';
import { cpuMs } from '../process-cost.ts';
import { requestText, startDoorward } from '../proxies/doorward.ts';
import type { Carrier } from '../proxies/carrier.ts';
import { startTunnelPeers } from '../proxies/tunnel-peers.ts';
import type { Size } from '../size.ts';
import { measure, type Measure } from '../subject.ts';
import type { Job } from '../load/job.ts';

export type TunnelMeasures = readonly TunnelRow[];

export type TunnelRow = {
  readonly title: string;
  readonly requests: readonly BothEnds[];
  readonly download: readonly BothEnds[];
};

/** The gateway's, and the CPU milliseconds of the agent meanwhile; null where there is none. */
export type BothEnds = Measure & { readonly agentMs: number | null };

export async function measureTunnel(size: Size, backendPort: number): Promise<TunnelMeasures> {
  const doorward = await startDoorward({ backendPort, visitors: 1, shares: 2, starts: 1 });
  const { service } = doorward;
  const target = `http://127.0.0.1:${backendPort}`;
  const agent = await startAgentProcess({ service, target, name: 'tunnelled', words: ['--quiet'] });
  const peers = await startTunnelPeers(backendPort);
  const host = (share: string) => new URL(service.urlOf(share)).host;
  const ours = { pid: service.pid, port: service.port };
  const carriers: readonly Carrier[] = [
    { ...ours, title: 'Doorward, direct backend', agentPid: null, host: host('open') },
    {
      ...ours,
      title: '**Doorward, through a tunnel**',
      agentPid: agent.pid ?? null,
      host: host('tunnelled'),
    },
    ...peers.carriers,
  ];
  try {
    await inTurn(carriers, 1, (carrier) => requestJob(carrier, size, size.warmUp));
    const requests = await inTurn(carriers, size.rounds, (carrier) => requestJob(carrier, size, size.count));
    const download = await inTurn(carriers, DOWNLOAD_ROUNDS, (carrier) => ({
      kind: 'download',
      port: carrier.port,
      requests: [requestText(carrier.host, `/bytes/${size.downloadBytes}`)],
    }));
    return carriers.map(({ title }, index) => ({
      title,
      requests: requests[index] ?? [],
      download: download[index] ?? [],
    }));
  } finally {
    agent.kill();
    await peers.close();
    await doorward.close();
  }
}

function requestJob({ port, host }: Carrier, { limitMs }: Size, count: number): Job {
  return {
    kind: 'http1',
    port,
    requests: [requestText(host, '/')],
    connections: CONNECTIONS,
    count,
    limitMs,
  };
}

/** Rounds of each carrier's, in turn, so that what disturbs the machine disturbs all alike. */
async function inTurn(
  carriers: readonly Carrier[],
  rounds: number,
  jobOf: (carrier: Carrier) => Job,
): Promise<readonly (readonly BothEnds[])[]> {
  const found = carriers.map((): BothEnds[] => []);
  for (let round = 0; round < rounds; round++)
    for (const [index, carrier] of carriers.entries()) {
      const { agentPid } = carrier;
      const before = agentPid === null ? 0 : cpuMs(agentPid);
      const measured = await measure(carrier, jobOf(carrier));
      found[index]?.push({ ...measured, agentMs: agentPid === null ? null : cpuMs(agentPid) - before });
    }
  return found;
}

/** As for the requests of the first table. */
const CONNECTIONS = 32;
const DOWNLOAD_ROUNDS = 3;
