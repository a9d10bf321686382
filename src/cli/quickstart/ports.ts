// The quick start's ports: one is chosen, the others stand at fixed distances from it. Looks whether they are
// free before anything is written, and says what holds a taken one where the system tells.

import { once } from 'node:events';
import { readdir, readFile, readlink } from 'node:fs/promises';
import { createServer } from 'node:net';
import { ServiceError } from '../../domain/service-error.ts';

export type Ports = {
  readonly gateway: number;
  readonly sample: number;
  readonly provider: number;
  readonly control: number;
};

/** Throws `usage` for a port whose companions would not fit. */
export function portsFrom(port: number): Ports {
  if (!Number.isInteger(port) || port < 1 || port > MAX_PORT - CONTROL_DISTANCE)
    throw new ServiceError(
      'usage',
      `Cannot start at port ${port}: the port must be from 1 to ${MAX_PORT - CONTROL_DISTANCE}`,
      {
        hint: 'Choose a lower port: the control API listens 202 ports above it.',
      },
    );
  return { gateway: port, sample: port + 1, provider: port + 3, control: port + CONTROL_DISTANCE };
}

/** Throws `address_in_use` naming the first port that is taken, its holder if known, and a port to try. */
export async function assertFree(ports: Ports): Promise<void> {
  for (const [what, port] of Object.entries(ports)) {
    const fault = await tryPort(port);
    if (fault === null) continue;
    const holder = fault === 'EADDRINUSE' ? await findHolder(port) : null;
    const found =
      fault === 'EADDRINUSE'
        ? `port ${port} is taken${holder === null ? '' : ` by ${holder}`}`
        : `port ${port} is not allowed (${fault})`;
    throw new ServiceError('address_in_use', `Cannot start the ${NAMES[what as keyof Ports]}: ${found}`, {
      hint: `Stop the program that uses it, or choose another port: --port ${suggestion(ports.gateway)}.`,
    });
  }
}

/** Null when it can be listened on, else the system's code. */
async function tryPort(port: number): Promise<string | null> {
  const server = createServer();
  try {
    server.listen({ host: LOOPBACK, port, exclusive: true });
    await once(server, 'listening');
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  } finally {
    if (server.listening) {
      server.close();
      await once(server, 'close');
    }
  }
}

/** `node (process 4711)`, from Linux's /proc; null elsewhere, and for processes of other people. */
async function findHolder(port: number): Promise<string | null> {
  try {
    const inode = await listeningInode(port);
    if (inode === null) return null;
    for (const process of await readdir('/proc')) {
      if (!/^\d+$/.test(process) || !(await holds(process, inode))) continue;
      const name = (await readFile(`/proc/${process}/comm`, 'utf8')).trim();
      return `${name} (process ${process})`;
    }
  } catch {
    // Not this system, or a process that ended meanwhile: the port is taken all the same.
  }
  return null;
}

async function listeningInode(port: number): Promise<string | null> {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  for (const table of ['/proc/net/tcp', '/proc/net/tcp6']) {
    for (const line of (await readFile(table, 'utf8')).split('\n')) {
      const columns = line.trim().split(/\s+/);
      if (columns[1]?.endsWith(suffix) && columns[3] === LISTENING) return columns[9] ?? null;
    }
  }
  return null;
}

async function holds(process: string, inode: string): Promise<boolean> {
  const folder = `/proc/${process}/fd`;
  const descriptors = await readdir(folder).catch(() => []);
  for (const descriptor of descriptors)
    if ((await readlink(`${folder}/${descriptor}`).catch(() => '')) === `socket:[${inode}]`) return true;
  return false;
}

function suggestion(port: number): number {
  return port + 1000 <= MAX_PORT - CONTROL_DISTANCE ? port + 1000 : DEFAULT_PORT;
}

export const DEFAULT_PORT = 8080;
const CONTROL_DISTANCE = 202;
const MAX_PORT = 65_535;
const LOOPBACK = '127.0.0.1';
/** TCP_LISTEN in /proc/net/tcp. */
const LISTENING = '0A';
const NAMES: Readonly<Record<keyof Ports, string>> = {
  gateway: 'gateway',
  sample: 'sample app',
  provider: 'test provider',
  control: 'control API',
};
