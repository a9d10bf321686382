// The bench's own processes: one backend, and a load generator for each measurement.

import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Found, Job } from './load/job.ts';

export type BackendProcess = {
  readonly port: number;
  readonly pid: () => number;
  readonly close: () => void;
};

export function startBackendProcess(): Promise<BackendProcess> {
  return startServerProcess('backend.ts');
}

export function startBareProcess(): Promise<BackendProcess> {
  return startServerProcess('bare-server.ts');
}

/** What Node itself costs before that backend: its sockets, and its HTTP server and client. */
export async function startBareProxies(backendPort: number): Promise<readonly BareProxy[]> {
  const words = [String(backendPort)];
  return [
    { name: BARE_CARRIER, ...(await startServerProcess('bare-carrier.ts', words)) },
    { name: BARE_PROXY, ...(await startServerProcess('bare-proxy.ts', words)) },
  ];
}

export type BareProxy = BackendProcess & { readonly name: string };

/** A file that says on which port it listens. */
async function startServerProcess(file: string, words: readonly string[] = []): Promise<BackendProcess> {
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), words, { stdio: STDIO });
  const [port] = (await once(child, 'message')) as [number];
  return { port, pid: () => child.pid ?? 0, close: () => child.kill() };
}

export type LoadProcess = {
  readonly run: (job: Job) => Promise<Found>;
  /** Ends it, and with it every connection that it holds. */
  readonly close: () => Promise<void>;
};

export function startLoadProcess(): LoadProcess {
  const child = fork(fileURLToPath(new URL('load.ts', import.meta.url)), { stdio: STDIO });
  return {
    run: async (job) => {
      child.send(job);
      const [{ found, error }] = (await once(child, 'message')) as [{ found?: Found; error?: string }];
      if (found === undefined) throw new Error(`Cannot run the load: ${error}`);
      return found;
    },
    close: () => ended(child),
  };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, 'exit');
}

const BARE_CARRIER = 'Node’s sockets, which read nothing';
const BARE_PROXY = 'Node’s HTTP server and client';
const STDIO: ('ignore' | 'inherit' | 'ipc')[] = ['ignore', 'inherit', 'inherit', 'ipc'];
