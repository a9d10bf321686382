// What becomes of a store that was just restored: it cannot know what happened since the backup, so whatever
// may have been used up or ended by now is, and every number goes beyond those that were given since.

import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

export type Ending = {
  /** Otherwise all end: some of them may have been ended since the backup. */
  readonly keepSessions: boolean;
  /** Deletes all API keys and service tokens: some of them may have been deleted since the backup. */
  readonly revokeKeys: boolean;
};

export type Ended = {
  readonly endedSessions: number;
  /** Open certificate request tokens: some of them may have been used since the backup. */
  readonly endedTokens: number;
  /** Open ones, likewise. */
  readonly endedInvitations: number;
  readonly revokedKeys: number;
  readonly revokedServiceTokens: number;
  /**
   * Those that work again from now on, whether or not they were deleted since the backup; by account and
   * name.
   */
  readonly apiKeys: readonly RestoredKey[];
  /** How many service tokens work again, likewise. */
  readonly serviceTokens: number;
};

export type RestoredKey = {
  readonly account: string;
  readonly id: string;
  readonly name: string;
  readonly role: string;
};

/**
 * Beyond all that the store may have given since the backup, so that nobody who followed it takes new ones
 * for old: a gateway that runs on reads everything again, no revocation list has a number of before (RFC 5280
 * section 5.2.3), no `If-Match` of before holds. By the time, so that two restores of one backup do not give
 * the same numbers either.
 */
export async function skipNumbers(db: Transaction<Tables>, at: number): Promise<void> {
  const change = beyond('number', at * NUMBERS_A_MS);
  await sql`UPDATE change_counter SET number = ${change}, swept_to = ${change}`.execute(db);
  await sql`UPDATE audit_counter SET number = ${beyond('number', at * NUMBERS_A_MS)}`.execute(db);
  await sql`UPDATE account_cas SET crl_number = ${beyond('crl_number', at)} + ${sql.lit(YEAR_MS)}`.execute(
    db,
  );
  const version = Math.max(1, Math.floor((at - VERSIONS_FROM) / 1000));
  for (const table of VERSIONED)
    await sql`UPDATE ${sql.table(table)} SET version = CASE WHEN version >= ${sql.lit(version)} THEN version + 1
      ELSE ${sql.lit(version)} END`.execute(db);
}

function beyond(column: string, least: number): RawBuilder<number> {
  return sql`CASE WHEN ${sql.ref(column)} >= ${sql.lit(least)} THEN ${sql.ref(column)} + ${sql.lit(SKIPPED)}
    ELSE ${sql.lit(least)} END`;
}

/**
 * Whatever works once, or until somebody ends it, may be used up or ended by now without the backup knowing.
 */
export async function endWhatMayBeOver(
  db: Transaction<Tables>,
  engine: Engine,
  { keepSessions, revokeKeys, at }: Ending & { readonly at: number },
): Promise<Ended> {
  const endedSessions = keepSessions ? 0 : await endSessions(db, engine);
  const tokens = await db
    .updateTable('certificate_request_tokens')
    .set({ expires_at: at })
    .where('used_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow();
  const invitations = await db.deleteFrom('invitations').executeTakeFirstOrThrow();
  let revokedKeys = 0;
  let revokedServiceTokens = 0;
  if (revokeKeys) {
    await db.deleteFrom('key_sessions').execute();
    revokedServiceTokens = Number(
      (await db.deleteFrom('service_tokens').executeTakeFirstOrThrow()).numDeletedRows,
    );
    revokedKeys = Number((await db.deleteFrom('api_keys').executeTakeFirstOrThrow()).numDeletedRows);
  }
  return {
    endedSessions,
    endedTokens: Number(tokens.numUpdatedRows),
    endedInvitations: Number(invitations.numDeletedRows),
    revokedKeys,
    revokedServiceTokens,
    apiKeys: await keysOf(db),
    serviceTokens: await workingTokens(db, at),
  };
}

async function endSessions(db: Transaction<Tables>, { clock }: Engine): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('sessions')
    .set({
      ended_at: clock(),
      end_reason: 'restored',
      tokens: null,
      refreshable: 0,
      leased_until: null,
      revoke_at: null,
    })
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow();
  let ended = Number(numUpdatedRows);
  for (const table of CONSOLE_TABLES)
    ended += Number((await db.deleteFrom(table).executeTakeFirstOrThrow()).numDeletedRows);
  return ended;
}

function keysOf(db: Transaction<Tables>): Promise<readonly RestoredKey[]> {
  return db
    .selectFrom('api_keys')
    .innerJoin('accounts', 'accounts.id', 'api_keys.account_id')
    .select(['accounts.name as account', 'api_keys.id', 'api_keys.name', 'api_keys.role'])
    .orderBy('accounts.name')
    .orderBy('api_keys.name')
    .execute();
}

async function workingTokens(db: Transaction<Tables>, at: number): Promise<number> {
  const { count } = await db
    .selectFrom('service_tokens')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Of whoever is logged in at the control plane, of whatever kind. */
const CONSOLE_TABLES = ['console_sessions', 'key_sessions', 'visitor_sessions'] as const;
/** What `If-Match` and gateways tell two states of a thing by. */
const VERSIONED = ['shares', 'provider_definitions', 'certificate_policies'] as const;
/** More changes or events than a store has between two backups. */
const SKIPPED = 1_000_000_000;
/** More than a store gives in a millisecond; the time in them fits a number until long after 2200. */
const NUMBERS_A_MS = 1_000;
/** Versions go up by one a change; a number of seconds from here fits 32 bits until 2092. */
const VERSIONS_FROM = Date.UTC(2024, 0);
/** Revocation lists are numbered by the time, also by a gateway whose clock was ahead. */
const YEAR_MS = 365 * 24 * 60 * 60_000;
