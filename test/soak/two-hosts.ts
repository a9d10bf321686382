// Two hosts of a test network, as network namespaces of this machine with a cable between them: the gateway's
// and the agent's. What runs in them sees that network alone; this machine's own is left as it is. Linux,
// root.

import { execFileSync } from 'node:child_process';

export type TwoHosts = {
  /** Words before a command that runs it there. */
  readonly onGateway: readonly string[];
  readonly onAgent: readonly string[];
  readonly gatewayAddress: string;
  /** Pulls the cable, or puts it back. */
  readonly link: (state: 'up' | 'down') => void;
  /** Kills what still runs there. */
  readonly remove: () => void;
};

/** Why there can be none here; null when there can. */
export function whyNoHosts(): string | null {
  if (process.platform !== 'linux') return 'network namespaces are Linux’s';
  try {
    const hosts = layOutHosts(`probe-${process.pid}`);
    hosts.remove();
    return null;
  } catch (error) {
    const said = (error as { readonly stderr?: string }).stderr?.trim();
    return `network namespaces cannot be made here: ${said === undefined || said === '' ? String(error) : said}`;
  }
}

/** `name` tells apart what runs at once on this machine. */
export function layOutHosts(name: string): TwoHosts {
  const hosts = hostsNamed(name);
  const [gateway, agent] = namesOf(name);
  try {
    ip(['netns', 'add', gateway]);
    ip(['netns', 'add', agent]);
    ip(['-n', gateway, 'link', 'add', 'cable', 'type', 'veth', 'peer', 'name', 'cable', 'netns', agent]);
    ip(['-n', gateway, 'address', 'add', `${GATEWAY_ADDRESS}/24`, 'dev', 'cable']);
    ip(['-n', agent, 'address', 'add', `${AGENT_ADDRESS}/24`, 'dev', 'cable']);
    for (const host of [gateway, agent])
      for (const device of ['lo', 'cable']) ip(['-n', host, 'link', 'set', device, 'up']);
  } catch (error) {
    hosts.remove();
    throw error;
  }
  return hosts;
}

/** Those that were laid out under this name, by this process or another. */
export function hostsNamed(name: string): TwoHosts {
  const [gateway, agent] = namesOf(name);
  return {
    onGateway: ['ip', 'netns', 'exec', gateway],
    onAgent: ['ip', 'netns', 'exec', agent],
    gatewayAddress: GATEWAY_ADDRESS,
    link: (state) => void ip(['-n', agent, 'link', 'set', 'cable', state]),
    remove: () => {
      for (const host of [gateway, agent])
        for (const step of [() => killAll(host), () => ip(['netns', 'delete', host])])
          try {
            step();
          } catch {
            // It never was, or what ran there ended by itself.
          }
    },
  };
}

function killAll(host: string): void {
  for (const pid of ip(['netns', 'pids', host]).split('\n'))
    if (pid !== '') process.kill(Number(pid), 'SIGKILL');
}

function namesOf(name: string): readonly [string, string] {
  return [`doorward-${name}-gateway`, `doorward-${name}-agent`];
}

function ip(words: readonly string[]): string {
  return execFileSync('ip', words, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
}

/** TEST-NET-1 (RFC 5737): nothing real answers there. */
const GATEWAY_ADDRESS = '192.0.2.1';
const AGENT_ADDRESS = '192.0.2.2';
