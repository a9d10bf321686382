// The same tests on both engines, where the store has a part in what they show.

import { after, before, describe } from 'node:test';
import { Secret } from '../../src/domain/secret.ts';
import { newMasterKeyText, parseMasterKey } from '../../src/store/master-key.ts';
import { openStore } from '../../src/store/open.ts';
import type { Store } from '../../src/store/store.ts';
import { ENGINES, type Engine } from './note-engine.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';
import { openTestStore } from './store.ts';

/** An empty store: the address of a new database, or null for SQLite wherever the service has it. */
export type NewStore = () => Promise<string | null>;

/** `tests` declares them; `newStore` is good from the first `before` on. */
export function onEngines(what: string, tests: (newStore: NewStore, engine: Engine) => void): void {
  for (const engine of ENGINES)
    describe(`${what}, on ${engine}`, () => {
      let server: TestPostgres | null = null;
      before(async () => {
        if (engine === 'PostgreSQL') server = await startPostgres();
      });
      tests(async () => (server === null ? null : (await server.formedPlace()).reveal()), engine);
      after(() => server?.[Symbol.asyncDispose]());
    });
}

/** What `newStore` answers, opened as `serve` does. `now` is its clock, where it has none of its own. */
export async function openStoreAt(
  storeUrl: string | null,
  now: () => number = Date.now,
): Promise<Store & AsyncDisposable> {
  if (storeUrl === null) return openTestStore(now);
  const engine = { kind: 'postgres', url: new Secret(storeUrl) } as const;
  const masterKey = parseMasterKey(newMasterKeyText()) ?? new Secret('');
  const store = await openStore({ engine, masterKey, now, exclusive: true });
  return { ...store, [Symbol.asyncDispose]: () => store.close() };
}
