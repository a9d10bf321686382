// The way to PostgreSQL over TLS: a server that cannot prove its name gets neither password nor rows.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, after, before, test } from 'node:test';
import { sql } from 'kysely';
import { type TestAuthority, createTestAuthority } from '../../../test/support/certificates.ts';
import { type OwnPostgres, startOwnPostgres } from '../../../test/support/postgres.ts';
import { Secret } from '../../domain/secret.ts';
import { openPostgres } from './open-postgres.ts';

let server: OwnPostgres;
let authority: TestAuthority;
let folder: string;
before(async () => {
  [server, folder] = await Promise.all([startOwnPostgres(), mkdtemp(join(tmpdir(), 'doorward-tls-'))]);
  authority = createTestAuthority();
  const { certificate, key } = authority.issue(['localhost']);
  await server.useTls(certificate, key);
  await writeFile(join(folder, 'ca.pem'), authority.ca);
  const stranger = createTestAuthority();
  await writeFile(join(folder, 'stranger.pem'), stranger.ca);
  stranger.dispose();
});
after(async () => {
  authority.dispose();
  await rm(folder, { recursive: true });
  await server[Symbol.asyncDispose]();
});

test('openPostgres() speaks TLS with a server whose certificate is good for its name', async (t) => {
  assert.equal(await connected(t, { host: 'localhost', sslrootcert: join(folder, 'ca.pem') }), true);
});

test('openPostgres() refuses a certificate of another authority, and one for another name', async (t) => {
  const refused = [
    { host: 'localhost', sslrootcert: join(folder, 'stranger.pem') },
    { host: 'localhost', sslmode: 'verify-full' },
    { host: 'localhost', sslmode: 'require' },
    { host: '127.0.0.1', sslrootcert: join(folder, 'ca.pem') },
  ];
  for (const address of refused)
    await assert.rejects(connected(t, address), { code: 'store_unavailable' }, JSON.stringify(address));
});

test('openPostgres() does without the proof, and without TLS, only where the address says so', async (t) => {
  assert.equal(await connected(t, { host: '127.0.0.1', sslmode: 'no-verify' }), true);
  assert.equal(await connected(t, { host: '127.0.0.1', sslmode: 'disable' }), false);
});

/** Whether the connection has TLS, as the server sees it. */
async function connected(
  t: TestContext,
  {
    host,
    ...parameters
  }: { readonly host: string; readonly sslmode?: string; readonly sslrootcert?: string },
): Promise<boolean | undefined> {
  const url = new URL((await server.place()).reveal());
  url.hostname = host;
  url.search = new URLSearchParams(parameters).toString();
  const engine = openPostgres(new Secret(url.href));
  t.after(() => engine.close());
  const { rows } = await sql<{ ssl: boolean }>`
    SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()`.execute(engine.read);
  return rows[0]?.ssl;
}
