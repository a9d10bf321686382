// Connections to the database: however many call the control API, none of them is refused for want of a
// connection, and gates, logins and the feed have connections of their own.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { sql } from 'kysely';
import { Secret } from '../../src/domain/secret.ts';
import { newMasterKeyText, parseMasterKey } from '../../src/store/sealing/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import { openPostgres } from '../../src/store/postgres/open-postgres.ts';
import { addShare } from '../../src/store/suite/bench.test-support.ts';
import { addAccountWithKey, startControlOn, type TestAccount } from '../support/control.ts';
import { startPostgres, type TestPostgres } from '../support/postgres.ts';

let server: TestPostgres;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

test('400 parallel changes at three gateways want for no connection', async (t) => {
  const url = await server.place();
  const masterKey = parseMasterKey(newMasterKeyText()) ?? new Secret('');
  const gateways = [];
  for (let number = 0; number < 3; number++) {
    const store = await openStore({
      engine: { kind: 'postgres', url },
      masterKey,
      now: Date.now,
      exclusive: true,
    });
    gateways.push({ store, dispose: () => store.close() });
  }
  const [first] = gateways;
  assert.ok(first);
  const accounts: TestAccount[] = [];
  for (let number = 0; number < 20; number++) {
    const account = await addAccountWithKey(first.store, `tenant-${number}`);
    await addShare(first.store, { accountId: account.id, name: `busy-${number}`, oauthProvider: null });
    accounts.push(account);
  }
  const controls: Awaited<ReturnType<typeof startControlOn>>[] = [];
  for (const { store, dispose } of gateways) {
    // As the service does: the API on connections of its own. Alice and Mallory are made once for each.
    const named = { ...store.forCalls, accounts: { ...store.accounts, create: async () => {} } };
    const control = await startControlOn({ ...named, [Symbol.asyncDispose]: dispose });
    t.after(() => control[Symbol.asyncDispose]());
    controls.push(control);
  }
  const answers = await Promise.all(
    Array.from({ length: 400 }, (_, number) => {
      const tenant = number % accounts.length;
      const as = accounts[tenant] ?? null;
      const control = controls[number % controls.length];
      const json = { enabled: number % 4 !== 0 };
      return control?.call({ method: 'PATCH', path: `/v1/shares/busy-${tenant}`, as, json });
    }),
  );
  // Kept, and not known to be live within its time: the machine is slow, and no connection was missing.
  const isKept = (answer: (typeof answers)[number]) =>
    answer?.status === 200 || answer?.document['stored'] === true;
  assert.deepEqual(
    answers.filter((answer) => !isKept(answer)).map((answer) => answer?.document),
    [],
  );
});

test('calls that hold every connection of theirs hold up no gate, login or feed', async () => {
  const engine = openPostgres(await server.place());
  try {
    // More than there are connections: all wait, and so do those behind them.
    const calls = Array.from({ length: 12 }, () =>
      Promise.all([
        sql`SELECT pg_sleep(2)`.execute(engine.forCalls.read),
        engine.forCalls.transact((db) => sql`SELECT pg_sleep(2)`.execute(db)),
      ]),
    );
    let over = false;
    const all = Promise.all(calls).then(() => (over = true));
    await sql`SELECT 1`.execute(engine.read);
    await engine.transact((db) => sql`SELECT 1`.execute(db));
    assert.equal(over, false);
    // Nobody was refused for want of a connection.
    assert.equal(await all, true);
  } finally {
    await engine.close();
  }
});
