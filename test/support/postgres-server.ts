// A PostgreSQL server as a process of its own, so that it ends with the test whatever happens to that: when
// the channel to its parent closes, it stops the server and deletes the folder. Its argument is a
// `ServerPlan` as JSON.

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type ServerUser, reachableBinaries, serverUser } from './postgres-binaries.ts';

/** The superuser. */
export const OPERATOR = 'operator';

export type ServerPlan = {
  /** For all that the server writes. Made by the caller, deleted at the end. */
  readonly folder: string;
  readonly port: number;
  /** The operator's. */
  readonly password: string;
  /** Acknowledged writes outlast a power cut, too, as in production. They cost most of a test's time. */
  readonly durable: boolean;
  /**
   * From another server of this run: its binaries, which this user can run, and a cluster as initdb leaves
   * it.
   */
  readonly like: ServerParts | null;
};

export type ServerParts = { readonly binaries: string; readonly mould: string };

export type Order = 'start' | 'stop' | 'crash';
export type Answer = { readonly done: ServerParts } | { readonly failed: string };

if (import.meta.main) serve(JSON.parse(process.argv[2] ?? '') as ServerPlan);

function serve(plan: ServerPlan): void {
  const data = join(plan.folder, 'data');
  let parts: ServerParts | null = null;
  let running: ChildProcess | null = null;
  const start = async (): Promise<void> => {
    const user = serverUser();
    // mkdtemp leaves it to root alone.
    chmodSync(plan.folder, 0o711);
    parts ??= plan.like ?? (await mouldIn(plan, user));
    // Owners and modes too: the server insists on its own.
    if (!existsSync(data)) execFileSync('cp', ['-a', parts.mould, data], { stdio: 'pipe' });
    running = await startOn(data, { plan, user, binaries: parts.binaries });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    const child = running;
    running = null;
    if (child === null || child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    await once(child, 'exit');
  };
  const orders: Readonly<Record<Order, () => Promise<void>>> = {
    start,
    // Fast: transactions that run are broken off.
    stop: () => end('SIGINT'),
    // Immediate: all its processes end at once, without a checkpoint, and none is left to hold the folder.
    crash: () => end('SIGQUIT'),
  };
  process.on('message', (order: Order) => {
    orders[order]().then(
      () => answer(parts === null ? { failed: 'never started' } : { done: parts }),
      (error: unknown) => answer({ failed: error instanceof Error ? error.message : String(error) }),
    );
  });
  let ending = false;
  const leave = (): void => {
    if (ending) return;
    ending = true;
    // No checkpoint for what is deleted.
    void end('SIGQUIT')
      .then(() => rm(plan.folder, { recursive: true, force: true }))
      .finally(() => process.exit());
  };
  process.once('disconnect', leave);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, leave);
}

function answer(it: Answer): void {
  process.send?.(it);
}

/**
 * Writes a cluster that is never started, for others to be copied from: initdb takes longer than all else.
 */
async function mouldIn({ folder, password }: ServerPlan, user: ServerUser): Promise<ServerParts> {
  const binaries = reachableBinaries(user, folder);
  const [mould, secret] = [join(folder, 'mould'), join(folder, 'password')];
  writeFileSync(secret, `${password}\n`, { mode: 0o600 });
  mkdirSync(mould, { mode: 0o700 });
  // The user may write nothing in the folder itself.
  if (user.uid !== undefined && user.gid !== undefined)
    for (const place of [secret, mould]) chownSync(place, user.uid, user.gid);
  const words = [
    `--pgdata=${mould}`,
    '--auth=scram-sha-256',
    `--username=${OPERATOR}`,
    `--pwfile=${secret}`,
    // `startOn` reads what the server says.
    '--lc-messages=C',
    '--set=scram_iterations=1',
    '--no-sync',
    '--encoding=UTF8',
    // A collation that sorts unlike bytes, so that whatever depends on it shows.
    '--locale-provider=icu',
    '--icu-locale=en-US',
  ];
  const initdb = spawn(join(binaries, 'bin/initdb'), words, {
    ...user,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(initdb.stderr), once(initdb, 'exit')]);
  rmSync(secret);
  if (code !== 0) throw new Error(`initdb ended with ${code}: ${said.trim()}`);
  return { binaries, mould };
}

type Server = { readonly plan: ServerPlan; readonly user: ServerUser; readonly binaries: string };

/** Resolves once it takes connections; throws what it said when it ends before. */
async function startOn(data: string, { plan, user, binaries }: Server): Promise<ChildProcess> {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    port: plan.port,
    // Files that share it run side by side, each with gateways that hold several.
    max_connections: MOST_CONNECTIONS,
    ...(plan.durable ? {} : NOT_DURABLE),
  };
  const words = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(binaries, 'bin/postgres'), ['-D', data, ...words], {
    ...user,
    cwd: data,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  const ready = Promise.withResolvers<void>();
  server.stderr.setEncoding('utf8').on('data', (more: string) => {
    if (said.length < MOST_KEPT) said += more;
    if (said.includes('database system is ready to accept connections')) ready.resolve();
  });
  server.once('error', ready.reject);
  server.once('close', (code) => ready.reject(new Error(`it ended with ${code}: ${said.trim()}`)));
  await ready.promise;
  return server;
}

const MOST_CONNECTIONS = 400;
/** What it said until it was ready; later words are only drained. */
const MOST_KEPT = 16 * 1024;
const NOT_DURABLE = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  // No processes beside those that answer.
  autovacuum: 'off',
  io_method: 'sync',
  // Each connection would take a moment of both ends' time, and tests make thousands.
  scram_iterations: 1,
};
