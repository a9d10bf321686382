// The store's suite on SQLite, with real files in a folder of their own.

import { DatabaseSync } from 'node:sqlite';
import { openTestStore } from '../../../test/support/store.ts';
import { openStore } from '../open.ts';
import type { Store } from '../store.ts';
import { storeSuite } from '../suite/store-suite.test-support.ts';

storeSuite('SQLite', async (now) => {
  const store = await openTestStore(now);
  const { sqliteFile, masterKey } = store;
  const others: Store[] = [];
  return {
    store,
    again: async () => {
      const other = await openStore({
        engine: { kind: 'sqlite', file: sqliteFile },
        masterKey,
        now,
        exclusive: false,
      });
      others.push(other);
      return other;
    },
    rows: async (sql) => {
      using database = new DatabaseSync(sqliteFile);
      return database.prepare(sql).all();
    },
    raw: async (sql) => {
      using database = new DatabaseSync(sqliteFile);
      database.exec(sql);
    },
    close: async () => {
      for (const other of others) await other.close();
      await store.dispose();
    },
  };
});
