// How much an account's shares may have of what compiles to rules: every worker of every gateway keeps it
// compiled, for all accounts together.

import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Locks } from '../engine.ts';
import type { Tables } from '../tables.ts';
import type { SettingColumns } from './setting-columns.ts';

export type RuleRoom = {
  readonly accountId: AccountId;
  /** Characters of JSON, of all shares together. */
  readonly most: number;
};

/** Two at once must not both grow into the same room. Taken before any other lock. */
export async function holdRuleRoom(
  locks: Locks,
  db: Transaction<Tables>,
  accountId: AccountId,
): Promise<void> {
  await locks.name(db, `rules of ${accountId}`);
}

/**
 * Asked once the share is written, with the room held. Throws `rules_too_large` where this share has more
 * rules than before, and all together have more than there is room for.
 */
export async function requireRuleRoom(
  db: Transaction<Tables>,
  { accountId, most }: RuleRoom,
  { before, after }: { readonly before: SettingColumns | null; readonly after: SettingColumns },
): Promise<void> {
  const grown = sizeOf(after) - (before === null ? 0 : sizeOf(before));
  if (grown <= 0) return;
  const bounds = boundsIn(db);
  const bound = (bounds.get(accountId) ?? Infinity) + grown;
  const size = bound <= most ? bound : await sizeOfAll(db, accountId);
  bounds.set(accountId, size);
  if (size <= most) return;
  throw new ServiceError(
    'rules_too_large',
    `Cannot keep the rules: those of all shares of the account would have ${size} characters together, and may have ${most}`,
    {
      hint: 'Remove rules that no share needs any more, or name groups in place of people.',
      extra: { limit: most },
    },
  );
}

/**
 * What they have at most: in one transaction they grow through here alone, and nobody else grows them.
 * Without it, a transaction that makes thousands of shares would sum up all of them for each.
 */
function boundsIn(db: Transaction<Tables>): Map<AccountId, number> {
  const known = BOUNDS.get(db) ?? new Map<AccountId, number>();
  BOUNDS.set(db, known);
  return known;
}

async function sizeOfAll(db: Transaction<Tables>, accountId: AccountId): Promise<number> {
  const { size } = await db
    .selectFrom('shares')
    .select(sql<number>`coalesce(sum(${sql.join(COLUMNS.map(lengthOf), sql` + `)}), 0)`.as('size'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow();
  // A text on PostgreSQL.
  return Number(size);
}

function sizeOf(columns: SettingColumns): number {
  const texts: Readonly<Record<string, unknown>> = columns;
  const sizes = COLUMNS.map((column) => (texts[column] === NONE ? 0 : String(texts[column] ?? '').length));
  return sizes.reduce((sum, size) => sum + size, 0);
}

function lengthOf(column: (typeof COLUMNS)[number]): RawBuilder<number> {
  return sql<number>`coalesce(length(nullif(${sql.ref(column)}, ${NONE})), 0)`;
}

const BOUNDS = new WeakMap<Transaction<Tables>, Map<AccountId, number>>();
const COLUMNS = [
  'rules',
  'oauth_email_address_patterns',
  'allow_groups',
  'allow_paths',
  'allow_addresses',
  'deny_emails',
] as const satisfies readonly (keyof SettingColumns)[];
/** An empty list. */
const NONE = '[]';
