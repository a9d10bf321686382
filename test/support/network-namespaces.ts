// Network namespaces of a test, joined by bridges as containers are: each has its own addresses and ports,
// and reaches its neighbors alone. Needs root and iproute2.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Relay } from './relay.ts';

/** Of each host its networks, with its address there: `172.30.0.2`. All networks are /24. */
export type NetworkPlan = Readonly<Record<string, Readonly<Record<string, string>>>>;

export type Networks = {
  /** What podman's `--network ns:` takes. */
  readonly pathOf: (host: string) => string;
  /** The words that start a program there. */
  readonly within: (host: string) => readonly [string, ...string[]];
  /** Carries connections into the host's namespace, or out of it. */
  readonly relay: (host: string, relays: readonly Relay[]) => Promise<void>;
  readonly close: () => Promise<void>;
};

/** Why not, for `skip`; false when they can be made. */
export function withoutNamespaces(): string | false {
  if (process.getuid?.() !== 0) return 'only root can make network namespaces';
  const name = nameOf('trial');
  if (spawnSync('ip', ['netns', 'add', name]).status !== 0)
    return 'network namespaces cannot be made here (ip netns add)';
  const { status } = spawnSync('ip', ['-n', name, 'link', 'add', 'bridge', 'type', 'bridge']);
  ip('netns', 'delete', name);
  return status === 0 ? false : 'bridges cannot be made here (ip link add type bridge)';
}

export function layOutNetworks(plan: NetworkPlan): Networks {
  const hub = nameOf('hub');
  const made: string[] = [];
  const relays: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    for (const child of relays.splice(0)) {
      child.stdin?.end();
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    }
    for (const name of made.splice(0)) ip('netns', 'delete', name);
  };
  const add = (name: string): void => {
    ip('netns', 'add', name);
    made.push(name);
    ip('-n', name, 'link', 'set', 'lo', 'up');
  };
  try {
    add(hub);
    for (const network of new Set(Object.values(plan).flatMap(Object.keys))) {
      ip('-n', hub, 'link', 'add', network, 'type', 'bridge');
      ip('-n', hub, 'link', 'set', network, 'up');
    }
    for (const [host, addresses] of Object.entries(plan)) {
      const name = nameOf(host);
      add(name);
      for (const [network, address] of Object.entries(addresses)) {
        // Both ends are named after whom they lead to.
        const end = `to-${made.length}-${network}`.slice(0, MOST_OF_A_NAME);
        ip('-n', hub, 'link', 'add', end, 'type', 'veth', 'peer', 'name', network, 'netns', name);
        ip('-n', hub, 'link', 'set', end, 'master', network, 'up');
        ip('-n', name, 'address', 'add', `${address}/24`, 'dev', network);
        ip('-n', name, 'link', 'set', network, 'up');
      }
    }
  } catch (error) {
    void close();
    throw error;
  }
  const within = (host: string): readonly [string, ...string[]] => ['ip', 'netns', 'exec', nameOf(host)];
  return {
    pathOf: (host) => `/run/netns/${nameOf(host)}`,
    within,
    relay: async (host, wanted) => {
      const [command, ...words] = [...within(host), process.execPath, RELAY, JSON.stringify(wanted)] as const;
      const child = spawn(command, words, { stdio: ['pipe', 'pipe', 'inherit'] });
      relays.push(child);
      const failed = once(child, 'exit').then(([code]) => {
        throw new Error(`Cannot relay at ${host}: it ended with ${String(code)}`);
      });
      await Promise.race([once(child.stdout, 'data'), failed]);
      failed.catch(() => undefined);
    },
    close,
  };
}

function ip(...words: readonly string[]): void {
  const { status, stderr } = spawnSync('ip', words, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`Cannot run ip ${words.join(' ')}: ${stderr}`);
}

/** Of this process alone: others test at the same time. */
function nameOf(host: string): string {
  return `doorward-${process.pid}-${host}`;
}

const RELAY = join(import.meta.dirname, 'relay.ts');
/** IFNAMSIZ, less its end. */
const MOST_OF_A_NAME = 15;
