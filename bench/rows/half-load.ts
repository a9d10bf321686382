// Latency at half of the most that Doorward carries, while people log in: what each proxy adds to the backend
// asked directly, all three under the same logins.

import { setTimeout } from 'node:timers/promises';
import { asSubject } from './requests.ts';
import type { Doorward } from '../proxies/doorward.ts';
import type { Peer } from '../proxies/peer.ts';
import type { Size } from '../size.ts';
import { interleave, measure, type Measure, type Subject } from '../subject.ts';

export type HalfLoad = {
  readonly perSecond: number;
  /** Logins that were finished, in all. */
  readonly logins: number;
  readonly loginsPerSecond: number;
  readonly direct: readonly Measure[];
  readonly nginx: readonly Measure[];
  readonly doorward: readonly Measure[];
};

export type HalfLoadBench = {
  readonly size: Size;
  readonly backendPort: number;
  readonly nginx: Peer;
  readonly doorward: Doorward;
  /** Half of the most. */
  readonly perSecond: number;
};

export async function measureHalfLoad(bench: HalfLoadBench): Promise<HalfLoad> {
  const { size, doorward, perSecond } = bench;
  const self = { name: 'backend', pid: () => process.pid, port: bench.backendPort };
  const take = (subject: Subject) => () =>
    measure(subject, {
      kind: 'paced',
      port: subject.port,
      requests: subject.requests('/'),
      connections: CONNECTIONS,
      perSecond,
      durationMs: size.pacedMs,
    });
  const people = startLogins(doorward);
  const startedAt = performance.now();
  const found = await interleave(3, {
    direct: take(asSubject(self, doorward)),
    nginx: take(asSubject(bench.nginx, doorward)),
    doorward: take(doorward.protected),
  });
  const logins = await people.stop();
  return { perSecond, logins, loginsPerSecond: logins / ((performance.now() - startedAt) / 1000), ...found };
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
/** The provider and the browsers share two cores with what is measured: more logins would measure them. */
const LOGIN_EVERY_MS = 200;
