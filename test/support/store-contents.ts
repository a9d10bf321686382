// All that a store holds, past the store, for tests that ask whether anything changed; and an audit log that
// takes nothing.

import { DatabaseSync } from 'node:sqlite';
import type { Secret } from '../../src/domain/secret.ts';
import type { TestPostgres } from './postgres.ts';

export type OpenContents = {
  /**
   * Each table's rows, but for when a key or certificate was used last and what tests of providers found,
   * which are nobody's change.
   */
  readonly rows: () => Promise<Readonly<Record<string, readonly string[]>>>;
  /** From now on each new audit event is refused by the database, until it is let in again. */
  readonly refuseEvents: () => Promise<void>;
  readonly takeEvents: () => Promise<void>;
};

export function sqliteContents(file: string): OpenContents {
  const run = async (statements: string): Promise<void> => {
    using database = new DatabaseSync(file, { timeout: 5_000 });
    database.exec(statements);
  };
  return {
    rows: async () => {
      using database = new DatabaseSync(file, { readOnly: true, timeout: 5_000 });
      const tables = database
        .prepare(
          `SELECT name FROM sqlite_master
             WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> '${FINDINGS}' ORDER BY name`,
        )
        .all();
      const entries = tables.map(({ name }) => [
        String(name),
        database
          .prepare(`SELECT * FROM "${String(name)}"`)
          .all()
          .map(textOf)
          .toSorted(),
      ]);
      return Object.fromEntries(entries) as Readonly<Record<string, readonly string[]>>;
    },
    refuseEvents: () =>
      run(`CREATE TRIGGER refused BEFORE INSERT ON audit_events BEGIN SELECT RAISE(ABORT, 'refused'); END`),
    takeEvents: () => run('DROP TRIGGER refused'),
  };
}

export function postgresContents(server: TestPostgres, url: Secret): OpenContents {
  return {
    rows: async () => {
      const tables = await server.query<{ name: string }>(
        url,
        `SELECT tablename AS name FROM pg_tables
           WHERE schemaname = current_schema() AND tablename <> '${FINDINGS}' ORDER BY 1`,
      );
      const each = tables.map(({ name }) => `SELECT '${name}' AS name, to_jsonb(t) AS row FROM "${name}" t`);
      const found = await server.query<{ name: string; row: object }>(url, each.join(' UNION ALL '));
      const all = Object.groupBy(found, ({ name }) => name);
      return Object.fromEntries(
        Object.entries(all).map(([name, rows = []]) => [name, rows.map(({ row }) => textOf(row)).toSorted()]),
      );
    },
    refuseEvents: async () => {
      await server.query(
        url,
        `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
         CREATE TRIGGER refused BEFORE INSERT ON audit_events FOR EACH ROW EXECUTE FUNCTION refuse()`,
      );
    },
    takeEvents: async () => {
      await server.query(url, 'DROP TRIGGER refused ON audit_events; DROP FUNCTION refuse()');
    },
  };
}

function textOf(row: object): string {
  return JSON.stringify(Object.entries(row).filter(([column]) => !column.startsWith('last_used_')));
}

const FINDINGS = 'provider_findings';
