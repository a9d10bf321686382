// Small answers over HTTP/1.1, kept connections: behind a login, behind a login among many shares, without a
// login, and through the peers.

import { startDoorward, requestText, type Doorward } from '../proxies/doorward.ts';
import type { Peer } from '../proxies/peer.ts';
import type { Size } from '../size.ts';
import { interleave, measure, type Measure, type Subject } from '../subject.ts';

export type RequestMeasures = {
  /** By name, nginx first. */
  readonly peers: Readonly<Record<string, readonly Measure[]>>;
  readonly authenticated: readonly Measure[];
  readonly manyShares: readonly Measure[];
  readonly open: readonly Measure[];
  /** Of the process with many shares. */
  readonly manySharesIdleMb: number;
  readonly manySharesStartMs: number;
};

export type RequestBench = {
  readonly size: Size;
  readonly backendPort: number;
  readonly peers: readonly Peer[];
  readonly doorward: Doorward;
};

export async function measureRequests({
  size,
  backendPort,
  peers,
  doorward,
}: RequestBench): Promise<RequestMeasures> {
  const { visitors, shares } = size;
  const many = await startDoorward({ backendPort, visitors, shares, starts: 1 });
  try {
    const take = (subject: Subject, count: number) => () =>
      measure(subject, {
        kind: 'http1',
        port: subject.port,
        requests: subject.requests('/'),
        connections: CONNECTIONS,
        count,
        limitMs: size.limitMs,
      });
    const subjects: Record<string, Subject> = {};
    for (const peer of peers) subjects[`peer ${peer.name}`] = asSubject(peer, doorward);
    subjects['authenticated'] = doorward.protected;
    subjects['manyShares'] = many.protected;
    subjects['open'] = doorward.open;
    const all = (count: number) =>
      Object.fromEntries(Object.entries(subjects).map(([name, subject]) => [name, take(subject, count)]));
    await interleave(1, all(size.warmUp));
    const found = await interleave(size.rounds, all(size.count));
    const peerNames = peers.map(({ name }) => name);
    return {
      peers: Object.fromEntries(peerNames.map((name) => [name, found[`peer ${name}`] ?? []])),
      authenticated: found['authenticated'] ?? [],
      manyShares: found['manyShares'] ?? [],
      open: found['open'] ?? [],
      manySharesIdleMb: many.idleMb,
      manySharesStartMs: many.startsMs[0] ?? Number.NaN,
    };
  } finally {
    await many.close();
  }
}

/** A peer gets the very bytes that Doorward gets. */
export function asSubject(peer: Pick<Peer, 'name' | 'pid' | 'port'>, doorward: Doorward): Subject {
  const { host } = new URL(doorward.service.urlOf('demo'));
  return {
    ...peer,
    requests: (path, more = '') =>
      doorward.cookies.map((cookie) => requestText(host, path, { cookie, more })),
  };
}

/** DESIGN 6: one load generator. A closed loop of as many clients as keep two cores busy. */
const CONNECTIONS = 32;
