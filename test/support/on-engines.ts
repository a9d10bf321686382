// The same tests on both engines, where the store has a part in what they show.

import { after, before, describe } from 'node:test';
import { ENGINES, type Engine } from './note-engine.ts';
import { startPostgres, type TestPostgres } from './postgres.ts';

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
