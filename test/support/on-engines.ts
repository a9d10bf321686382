// The same tests on both engines, where the store has a part in what they show.

import { after, before, describe } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import { ENGINES, type Engine } from './note-engine.ts';
import { openPostgresTestStore, startPostgres, type TestPostgres } from './postgres.ts';
import { openTestStore } from './store.ts';

export type EngineUnderTest = {
  readonly name: Engine;
  /**
   * Where a service has its store: the address of a new database, or null for SQLite in the service's folder.
   */
  readonly storeUrl: () => Promise<string | null>;
  readonly openStore: OpenStore;
};

/** Opens an empty store as `serve` does. `now` is its clock, where it has none of its own. */
export type OpenStore = (now?: () => number) => Promise<Store & AsyncDisposable>;

/** `tests` declares them; the engine is there from their first `before` on. */
export function onEngines(what: string, tests: (engine: EngineUnderTest) => void): void {
  for (const name of ENGINES)
    describe(`${what}, on ${name}`, () => {
      let server: TestPostgres | null = null;
      before(async () => {
        if (name === 'PostgreSQL') server = await startPostgres();
      });
      tests({
        name,
        storeUrl: async () => (server === null ? null : (await server.formedPlace()).reveal()),
        openStore: (now) => (server === null ? openTestStore(now) : openPostgresTestStore(server, now)),
      });
      after(() => server?.[Symbol.asyncDispose]());
    });
}
