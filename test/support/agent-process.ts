// `doorward share public --name …` in a process of its own, as an agent that serves a kept share of a service
// that runs.

import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { FRONT_DOOR } from './front-door.ts';
import type { ServiceProcess } from './service-process.ts';

export type AgentInput = {
  readonly service: Pick<ServiceProcess, 'folder' | 'client' | 'controlUrl'>;
  /** As `share public` takes it. */
  readonly target: string;
  /** The share's name. */
  readonly name: string;
  /** More words for `share public`. */
  readonly words?: readonly string[];
  /** A command that runs the agent elsewhere: `ip netns exec …`. */
  readonly within?: readonly string[];
  /** The address of the control API from there. */
  readonly controlUrl?: string;
  /** A file with certificates to trust. */
  readonly caFile?: string;
};

/** Resolves once the share is up. Ended by the caller, or with this process. */
export async function startAgentProcess(draft: AgentInput): Promise<ChildProcess> {
  const { service, within = [], words = [] } = draft;
  const { key } = await service.client.apiKeys.create({ name: randomUUID(), scope: 'tunnel' });
  const command = [
    process.execPath,
    FRONT_DOOR,
    'share',
    'public',
    draft.target,
    '--name',
    draft.name,
    '--json',
    ...(words.some((word) => PROTECTS.has(word)) ? [] : ['--open']),
  ];
  const [program = '', ...args] = [...within, ...command, ...words];
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      DOORWARD_URL: draft.controlUrl ?? service.controlUrl,
      DOORWARD_API_KEY: key,
      // A network of the test's own.
      ...(draft.within === undefined ? {} : { DOORWARD_ALLOW_PLAIN_HTTP: '1' }),
      XDG_CONFIG_HOME: service.folder,
      ...(draft.caFile === undefined ? {} : { NODE_EXTRA_CA_CERTS: draft.caFile }),
    },
  });
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  const lines = createInterface({ input: child.stdout });
  const [first] = await Promise.race([once(lines, 'line'), once(child, 'exit')]);
  if (!String(first).startsWith('{"event":"ready"'))
    throw new Error(`Cannot start an agent: ${String(first)}`);
  return child;
}

const PROTECTS: ReadonlySet<string> = new Set(['--oauth-provider', '--require-client-certificate']);
