// How the two databases would do what they are asked: whether they read whole tables, and whether they sort.

import { DatabaseSync, StatementSync } from 'node:sqlite';
import type { TestContext } from 'node:test';
import { Client } from 'pg';
import type { Engine } from './note-engine.ts';
import { openTestStore } from './store.ts';

/** What the engine is asked from now on, while the test runs. */
export const watchStatements: Readonly<Record<Engine, (t: TestContext) => string[]>> = {
  SQLite: (t) => {
    const statements: string[] = [];
    for (const name of ['all', 'get', 'run', 'iterate'] as const) {
      const method = StatementSync.prototype[name] as (this: StatementSync, ...values: unknown[]) => unknown;
      t.mock.method(StatementSync.prototype, name, function (this: StatementSync, ...values: unknown[]) {
        statements.push(this.sourceSQL);
        return method.apply(this, values);
      });
    }
    return statements;
  },
  PostgreSQL: (t) => {
    const statements: string[] = [];
    const method = Client.prototype.query as (this: Client, ...given: unknown[]) => unknown;
    t.mock.method(Client.prototype, 'query', function (this: Client, ...given: unknown[]) {
      const [asked] = given;
      statements.push(typeof asked === 'string' ? asked : (asked as { readonly text: string }).text);
      return method.apply(this, given);
    });
    return statements;
  },
};

export type StepsIn = (text: string) => Promise<readonly string[]>;

export type Planner = {
  /** What reads a whole table or index in the plan of a statement. */
  readonly scansIn: StepsIn;
  /** What puts rows in order that no index has in order. */
  readonly sortsIn: StepsIn;
  readonly close: () => Promise<void>;
};

export async function planner(storeUrl: string | null): Promise<Planner> {
  if (storeUrl === null) {
    const store = await openTestStore();
    const database = new DatabaseSync(store.sqliteFile, { readOnly: true });
    const steps = (text: string) =>
      database
        .prepare(`EXPLAIN QUERY PLAN ${text}`)
        .all()
        .map(({ detail }) => String(detail));
    return {
      scansIn: async (text) => steps(text).filter((detail) => /^SCAN (?!CONSTANT)/.test(detail)),
      sortsIn: async (text) => steps(text).filter((detail) => detail.includes('TEMP B-TREE')),
      close: async () => {
        database.close();
        await store.dispose();
      },
    };
  }
  const client = new Client({ connectionString: storeUrl });
  await client.connect();
  // Of a table with few rows it would read all of them, index or not.
  await client.query('SET enable_seqscan = off; SET enable_sort = off; SET enable_incremental_sort = off');
  const plansOf = async (text: string) => {
    const { rows } = await client.query<{ 'QUERY PLAN': readonly [{ readonly Plan: PlanNode }] }>(
      `EXPLAIN (GENERIC_PLAN, FORMAT JSON) ${text}`,
    );
    return rows.map(({ 'QUERY PLAN': [{ Plan }] }) => Plan);
  };
  return {
    scansIn: async (text) => (await plansOf(text)).flatMap(scansBelow),
    sortsIn: async (text) => (await plansOf(text)).flatMap(sortsBelow),
    close: () => client.end(),
  };
}

type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Cond'?: string;
  readonly Plans?: readonly PlanNode[];
};

function scansBelow(node: PlanNode): readonly string[] {
  const type = node['Node Type'];
  const isWhole =
    type === 'Seq Scan' || (/^(Bitmap )?Index (Only )?Scan$/.test(type) && node['Index Cond'] === undefined);
  const own = isWhole ? [`${type} on ${node['Relation Name'] ?? ''}`] : [];
  return [...own, ...(node.Plans ?? []).flatMap(scansBelow)];
}

function sortsBelow(node: PlanNode): readonly string[] {
  const own = node['Node Type'].includes('Sort') ? [node['Node Type']] : [];
  return [...own, ...(node.Plans ?? []).flatMap(sortsBelow)];
}
