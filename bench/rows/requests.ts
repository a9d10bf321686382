// Small answers over HTTP/1.1, kept connections: behind a login, behind a login among many shares, without a
// login, through the peers, and through as little of Node as a proxy needs. Small heads all alike; and heads
// as a browser varies them.

import { readFileSync } from 'node:fs';
import { startDoorward, requestText, type Doorward } from '../proxies/doorward.ts';
import { startBareProxies } from '../processes.ts';
import { startOAuth2Proxy, type OAuth2Proxy } from '../proxies/oauth2-proxy.ts';
import type { Peer } from '../proxies/peer.ts';
import type { Size } from '../size.ts';
import { interleave, measure, type Measure, type Subject } from '../subject.ts';

export type RequestMeasures = {
  /** By name, nginx first. */
  readonly peers: Readonly<Record<string, readonly Measure[]>>;
  readonly authenticated: readonly Measure[];
  /** Heads of a browser: nginx's and ours. */
  readonly variedNginx: readonly Measure[];
  readonly varied: readonly Measure[];
  readonly open: readonly Measure[];
  /** Of a process with many shares; null where it was not asked for. */
  readonly manyShares: {
    readonly measures: readonly Measure[];
    readonly idleMb: number;
    readonly startMs: number;
  } | null;
};

export type RequestBench = {
  readonly size: Size;
  readonly backendPort: number;
  readonly peers: readonly Peer[];
  readonly doorward: Doorward;
  readonly withMany: boolean;
};

export async function measureRequests({
  size,
  backendPort,
  peers,
  doorward,
  withMany,
}: RequestBench): Promise<RequestMeasures> {
  const { visitors, shares } = size;
  const many = withMany ? await startDoorward({ backendPort, visitors, shares, starts: 1 }) : null;
  const oauth2Proxy = await startOAuth2Proxy(backendPort, visitors);
  const bare = await startBareProxies(backendPort);
  try {
    const takes: Record<string, (count: number) => Promise<Measure>> = {};
    const add = (name: string, subject: Subject, how: 'alike' | 'varied' = 'alike') => {
      takes[name] = (count) =>
        measure(subject, {
          kind: 'http1',
          port: subject.port,
          requests: how === 'alike' ? subject.requests('/') : browserHeads(subject),
          connections: CONNECTIONS,
          count,
          limitMs: size.limitMs,
          inTurn: how === 'varied',
        });
    };
    const plain = [...peers, ...bare].map((peer) => asSubject(peer, doorward));
    for (const subject of plain) add(`peer ${subject.name}`, subject);
    if (oauth2Proxy !== null) add('peer oauth2-proxy', asLoggedIn(oauth2Proxy));
    add('authenticated', doorward.protected);
    if (plain[0] !== undefined) add('variedNginx', plain[0], 'varied');
    add('varied', doorward.protected, 'varied');
    if (many !== null) add('manyShares', many.protected);
    add('open', doorward.open);
    const all = (count: number) =>
      Object.fromEntries(Object.entries(takes).map(([name, take]) => [name, () => take(count)]));
    await interleave(1, all(size.warmUp));
    const taken = await interleave(size.rounds, all(size.count));
    const besides = [...peers, ...bare, ...(oauth2Proxy === null ? [] : [oauth2Proxy])];
    return {
      peers: Object.fromEntries(besides.map(({ name }) => [name, taken[`peer ${name}`] ?? []])),
      authenticated: taken['authenticated'] ?? [],
      variedNginx: taken['variedNginx'] ?? [],
      varied: taken['varied'] ?? [],
      open: taken['open'] ?? [],
      manyShares:
        many === null
          ? null
          : {
              measures: taken['manyShares'] ?? [],
              idleMb: many.idleMb,
              startMs: many.startsMs[0] ?? Number.NaN,
            },
    };
  } finally {
    await many?.close();
    await oauth2Proxy?.close();
    for (const each of bare) each.close();
  }
}

/** Each recorded head in turn, and each time of the next visitor, with their session among its cookies. */
function browserHeads(subject: Subject): readonly string[] {
  const recorded = JSON.parse(
    readFileSync(new URL('../load/browser-heads.json', import.meta.url), 'utf8'),
  ) as readonly string[];
  const visitors = subject.requests('/').map((request) => ({
    host: /\r\nHost: (\S+)/.exec(request)?.[1] ?? '',
    session: /\r\nCookie: ([^\r]+)/.exec(request)?.[1] ?? '',
  }));
  return visitors.flatMap((_, round) =>
    recorded.map((head, n) => {
      const { host = '', session = '' } = visitors[(round + n) % visitors.length] ?? {};
      return head.replaceAll('{host}', host).replace('{session}', session);
    }),
  );
}

function asLoggedIn({ name, pid, port, host, cookies }: OAuth2Proxy): Subject {
  const requests: Subject['requests'] = (path, more = '') =>
    cookies.map((cookie) => requestText(host, path, { cookie, more }));
  return { name, pid, port, requests };
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
