// The gateways that serve from this store. Each says now and then that it lives; one that does not is left
// out, and forgotten.

import { sql } from 'kysely';
import type { GatewayId } from '../domain/id.ts';
import type { Records } from './records.ts';

export type GatewayRow = {
  readonly id: GatewayId;
  /** Origin at which agents reach it: several may share one, behind a balancer. */
  readonly tunnelUrl: string;
  readonly workers: number;
  readonly version: string;
  readonly startedAt: number;
};

export interface GatewayTable {
  /** It lives, on the store's clock. Those that have been silent for `forgetMs` are deleted. */
  beat(gateway: GatewayRow, forgetMs: number): Promise<void>;
  /** Those that beat within the last `silentMs`, the longest running first. */
  living(silentMs: number): Promise<readonly GatewayRow[]>;
  /** It ends. */
  remove(id: GatewayId): Promise<void>;
}

export function createGatewayTable({ read, write, clock }: Records): GatewayTable {
  const ago = (ms: number) => sql<number>`${clock()} - ${sql.lit(ms)}`;
  return {
    beat: ({ id, tunnelUrl, workers, version, startedAt }, forgetMs) =>
      write(async ({ db }) => {
        const facts = { tunnel_url: tunnelUrl, workers, version, started_at: startedAt, seen_at: clock() };
        await db
          .insertInto('gateways')
          .values({ id, ...facts })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(facts))
          .execute();
        await db.deleteFrom('gateways').where('seen_at', '<', ago(forgetMs)).execute();
      }),
    living: async (silentMs) => {
      const rows = await read
        .selectFrom('gateways')
        .selectAll()
        .where('seen_at', '>=', ago(silentMs))
        .orderBy('started_at')
        .orderBy('id')
        .execute();
      return rows.map((row) => ({
        id: row.id as GatewayId,
        tunnelUrl: row.tunnel_url,
        workers: row.workers,
        version: row.version,
        startedAt: row.started_at,
      }));
    },
    remove: (id) =>
      write(async ({ db }) => void (await db.deleteFrom('gateways').where('id', '=', id).execute())),
  };
}
