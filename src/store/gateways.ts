// The gateways that serve from this store. Each says now and then that it lives; one that does not is left
// out, and forgotten.

import { sql } from 'kysely';
import type { GatewayId } from '../domain/id.ts';
import type { Records } from './records.ts';
import type { GatewaysTable } from './tables.ts';

export type GatewayRow = {
  readonly id: GatewayId;
  /** Origin at which agents reach it: several may share one, behind a balancer. */
  readonly tunnelUrl: string;
  readonly workers: number;
  readonly version: string;
  readonly startedAt: number;
};

/** How a gateway does, in its own words. */
export type GatewayHealth = {
  readonly workersRunning: number;
  /** Since it last read the changes of others: how far its routes and sessions may be behind. */
  readonly feedAgeMs: number;
  /** Audit events that it has not written yet. */
  readonly auditWaiting: number;
  /** When the first of its certificates of files ends; null without any. */
  readonly certificateEndsAt: number | null;
};

export type KnownGateway = GatewayRow & {
  /** Since it last said that it lives, on the store's clock. */
  readonly silentMs: number;
  /** Null of a version that does not say. */
  readonly health: GatewayHealth | null;
};

export interface GatewayTable {
  /** It lives, on the store's clock. Those that have been silent for `forgetMs` are deleted. */
  beat(gateway: GatewayRow, forgetMs: number, health?: GatewayHealth): Promise<void>;
  /** Those that beat within the last `silentMs`, the longest running first. */
  living(silentMs: number): Promise<readonly GatewayRow[]>;
  /** With those that are silent and not forgotten yet, the longest running first. */
  known(): Promise<readonly KnownGateway[]>;
  /** It ends. */
  remove(id: GatewayId): Promise<void>;
}

export function createGatewayTable({ read, write, clock }: Records): GatewayTable {
  const ago = (ms: number) => sql<number>`${clock()} - ${sql.lit(ms)}`;
  return {
    beat: ({ id, tunnelUrl, workers, version, startedAt }, forgetMs, health) =>
      write(async ({ db }) => {
        const facts = {
          tunnel_url: tunnelUrl,
          workers,
          version,
          started_at: startedAt,
          seen_at: clock(),
          workers_running: health?.workersRunning ?? null,
          feed_age_ms: health?.feedAgeMs ?? null,
          audit_waiting: health?.auditWaiting ?? null,
          certificate_ends_at: health?.certificateEndsAt ?? null,
        };
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
      return rows.map(toGateway);
    },
    known: async () => {
      const rows = await read
        .selectFrom('gateways')
        .selectAll()
        .select(sql<number>`${clock()} - seen_at`.as('silent_ms'))
        .orderBy('started_at')
        .orderBy('id')
        .execute();
      return rows.map((row) =>
        Object.assign(toGateway(row), {
          silentMs: Math.max(0, Number(row.silent_ms)),
          health: healthOf(row),
        }),
      );
    },
    remove: (id) =>
      write(async ({ db }) => void (await db.deleteFrom('gateways').where('id', '=', id).execute())),
  };
}

function toGateway({ id, tunnel_url, workers, version, started_at }: GatewaysTable): GatewayRow {
  return { id: id as GatewayId, tunnelUrl: tunnel_url, workers, version, startedAt: started_at };
}

function healthOf(row: GatewaysTable): GatewayHealth | null {
  const { workers_running, feed_age_ms, audit_waiting, certificate_ends_at } = row;
  if (workers_running === null || feed_age_ms === null || audit_waiting === null) return null;
  return {
    workersRunning: workers_running,
    feedAgeMs: feed_age_ms,
    auditWaiting: audit_waiting,
    certificateEndsAt: certificate_ends_at,
  };
}
