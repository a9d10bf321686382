// The store's suite on PostgreSQL: one real server, a place in it for each test.

import { after, before } from 'node:test';
import { sql } from 'kysely';
import { type TestPostgres, startPostgres } from '../../../test/support/postgres.ts';
import { Secret } from '../../domain/secret.ts';
import { newMasterKeyText, parseMasterKey } from '../master-key.ts';
import { storeOn } from '../open.ts';
import type { Store } from '../store.ts';
import { storeSuite } from '../suite/store-suite.test-support.ts';
import { openPostgres } from './open-postgres.ts';

let server: TestPostgres;
before(async () => {
  server = await startPostgres();
});
after(() => server[Symbol.asyncDispose]());

storeSuite('PostgreSQL', async (now) => {
  const url = await server.place();
  const masterKey = parseMasterKey(newMasterKeyText()) ?? new Secret('');
  const stores: Store[] = [];
  const open = async (): Promise<Store> => {
    // The one part that is not PostgreSQL's: the test moves the clock.
    const engine = { ...openPostgres(url), clock: () => sql<number>`${now()}::bigint` };
    const store = await storeOn(engine, masterKey);
    stores.push(store);
    return store;
  };
  return {
    store: await open(),
    again: open,
    raw: async (statement) => void (await server.query(url, statement)),
    close: async () => {
      for (const store of stores) await store.close();
    },
  };
});
