// Latency at half of the most that Doorward carries, while people log in: what each proxy adds to the backend
// asked directly, all three under the same logins.

import { setTimeout } from 'node:timers/promises';
import { mayPin, pin } from '../pin.ts';
import type { BackendProcess } from '../processes.ts';
import { asSubject } from './requests.ts';
import type { Doorward } from '../proxies/doorward.ts';
import type { Peer } from '../proxies/peer.ts';
import type { Size } from '../size.ts';
import { interleave, measure, median, type Measure, type Subject } from '../subject.ts';

export type HalfLoad = Latencies & {
  readonly perSecond: number;
  /** Logins that were finished, in all. */
  readonly logins: number;
  readonly loginsPerSecond: number;
  /**
   * The same with the proxy alone on its core, and backend, load, provider and browsers on another; null
   * where processes cannot be pinned.
   */
  readonly apart: Latencies | null;
};

export type Latencies = Readonly<Record<'direct' | 'nginx' | 'doorward', readonly Measure[]>>;

export type HalfLoadBench = {
  readonly size: Size;
  readonly backend: BackendProcess;
  readonly nginx: Peer;
  readonly doorward: Doorward;
  /** In a closed loop. */
  readonly most: readonly Measure[];
};

/** The most that Doorward carries, where nothing else has measured it. */
export async function measureMost(size: Size, { protected: subject }: Doorward): Promise<readonly Measure[]> {
  const { most } = await interleave(2, {
    most: () =>
      measure(subject, {
        kind: 'http1',
        port: subject.port,
        requests: subject.requests('/'),
        connections: 32,
        count: size.warmUp,
        limitMs: size.limitMs,
      }),
  });
  return most.slice(1);
}

export async function measureHalfLoad(bench: HalfLoadBench): Promise<HalfLoad> {
  const { doorward } = bench;
  const perSecond = Math.round(median(bench.most.map((each) => each.perSecond)) / 2);
  const people = startLogins(doorward);
  const startedAt = performance.now();
  const together = await takeAll(bench, perSecond);
  const apart = mayPin() ? await apartFrom(bench, perSecond) : null;
  const logins = await people.stop();
  return {
    perSecond,
    logins,
    loginsPerSecond: logins / ((performance.now() - startedAt) / 1000),
    ...together,
    apart,
  };
}

function takeAll({ size, backend, nginx, doorward }: HalfLoadBench, perSecond: number): Promise<Latencies> {
  const self = { name: 'backend', pid: () => process.pid, port: backend.port };
  const take = (subject: Subject) => () =>
    measure(subject, {
      kind: 'paced',
      port: subject.port,
      requests: subject.requests('/'),
      connections: CONNECTIONS,
      perSecond,
      durationMs: size.pacedMs,
    });
  return interleave(3, {
    direct: take(asSubject(self, doorward)),
    nginx: take(asSubject(nginx, doorward)),
    doorward: take(doorward.protected),
  });
}

/** Backend and generators are children of this process, in which provider and browsers are. */
async function apartFrom(bench: HalfLoadBench, perSecond: number): Promise<Latencies> {
  const { nginx, doorward } = bench;
  try {
    // The proxies are children of this process, too.
    pin(process.pid, OTHER_CORE);
    for (const pid of [nginx.pid(), doorward.service.pid()]) pin(pid, PROXY_CORE);
    return await takeAll(bench, perSecond);
  } finally {
    pin(process.pid, null);
  }
}

/** One login after the other, each with a browser of its own. */
function startLogins({ logIn }: Doorward): { readonly stop: () => Promise<number> } {
  const stopping = new AbortController();
  const { signal } = stopping;
  const run = async () => {
    let count = 0;
    for (let nextAt = performance.now(); !signal.aborted; nextAt += LOGIN_EVERY_MS) {
      await logIn(`newcomer-${count++}@example.com`);
      await setTimeout(Math.max(0, nextAt + LOGIN_EVERY_MS - performance.now()));
    }
    return count;
  };
  const running = run();
  return {
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

const CONNECTIONS = 64;
const OTHER_CORE = 0;
const PROXY_CORE = 1;
/** The provider and the browsers share two cores with what is measured: more logins would measure them. */
const LOGIN_EVERY_MS = 200;
