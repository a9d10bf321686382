// What a store that was restored cannot know: the certificates that were issued, and the messages that were
// used, between the backup and the restore. Times in which a certificate counts only when the store has it
// are kept until the last of then is over.

import type { Expression, ExpressionBuilder, Kysely, SqlBool } from 'kysely';
import { MAX_VALIDITY_MS } from '../domain/certificate.ts';
import { type InventoryGap, isWithinGap, type KnownSerial } from '../domain/certificate-trust.ts';
import { type AccountCaId, type CertificateId, newId } from '../domain/id.ts';
import { inBatches } from './columns.ts';
import { compiledOnce, type On } from './compiled.ts';
import type { Records, Writing } from './records.ts';
import type { Tables } from './tables.ts';
import type { ClientCertificatesTable } from './certificates/tables.ts';

/** In the transaction of the restore. */
export async function noteRestore(
  db: Kysely<Tables>,
  { backedUpAt, restoredAt }: { readonly backedUpAt: number; readonly restoredAt: number },
): Promise<void> {
  await db
    .insertInto('restores')
    .values({
      id: newId('rst'),
      // A backup from tomorrow is of a clock that was wrong: it leaves no gap closed.
      backed_up_at: Math.min(backedUpAt, restoredAt),
      restored_at: restoredAt,
    })
    .execute();
}

/** Whether it may have been used before a restore that does not know. */
export async function isFromBeforeRestore(db: Kysely<Tables>, madeAt: number): Promise<boolean> {
  const row = await db
    .selectFrom('restores')
    .select('id')
    .where('restored_at', '>=', madeAt)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** As `CertificateTable.gaps()`. */
export async function inventoryGaps(on: On, now: number): Promise<readonly InventoryGap[]> {
  const { rows } = await restoresSince(on, { since: now - MAX_VALIDITY_MS - AFTER_MS });
  return rows.map((row) => ({ from: row.backed_up_at - BEFORE_MS, until: row.restored_at + AFTER_MS }));
}

/** Tells the gateways of a new certificate where they would otherwise take it for one that the store lost. */
export async function noteIssued(
  { note, ...on }: On & Pick<Writing, 'note'>,
  certificate: { readonly id: CertificateId; readonly notBefore: number; readonly createdAt: number },
): Promise<void> {
  const { id, notBefore, createdAt } = certificate;
  const gaps = await inventoryGaps(on, createdAt);
  if (isWithinGap(gaps, notBefore)) note({ kind: 'certificate', id });
}

/** As `CertificateTable.knownInGaps()`. */
export async function knownInGaps(
  { read, locks }: Records,
  { now, after, limit }: { readonly now: number; readonly after: string | null; readonly limit: number },
): Promise<readonly KnownSerial[]> {
  const gaps = await inventoryGaps({ db: read, locks }, now);
  if (gaps.length === 0) return [];
  const rows = await read
    .selectFrom('client_certificates')
    .select(KNOWN_COLUMNS)
    .where((eb) => startsWithin(eb, gaps))
    .where('revoked_at', 'is', null)
    .where('not_after', '>', now)
    .where('id', '>', after ?? '')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toKnown);
}

/** As `CertificateTable.knownAmong()`. */
export async function knownAmong(
  { read, locks }: Records,
  ids: readonly string[],
  now: number,
): Promise<readonly KnownSerial[]> {
  const gaps = ids.length === 0 ? [] : await inventoryGaps({ db: read, locks }, now);
  if (gaps.length === 0) return [];
  const found: KnownSerial[] = [];
  for (const batch of inBatches(ids)) {
    const rows = await read
      .selectFrom('client_certificates')
      .select(KNOWN_COLUMNS)
      .where('id', 'in', batch)
      .where((eb) => startsWithin(eb, gaps))
      .execute();
    found.push(...rows.map(toKnown));
  }
  return found;
}

function startsWithin(
  eb: ExpressionBuilder<Tables, 'client_certificates'>,
  gaps: readonly InventoryGap[],
): Expression<SqlBool> {
  return eb.or(gaps.map(({ from, until }) => eb.between('not_before', from, until)));
}

function toKnown(row: Pick<ClientCertificatesTable, (typeof KNOWN_COLUMNS)[number]>): KnownSerial {
  return { id: row.id as CertificateId, authorityId: row.ca_id as AccountCaId, serial: row.serial };
}

const restoresSince = compiledOnce(({ db }, { since }: { readonly since: number }) =>
  db
    .selectFrom('restores')
    .select(['backed_up_at', 'restored_at'])
    .where('restored_at', '>', since)
    .orderBy('restored_at'),
);
const KNOWN_COLUMNS = ['id', 'ca_id', 'serial'] as const;
const HOUR_MS = 60 * 60_000;
/**
 * Certificates are backdated by minutes, and gateways may have had other clocks than whoever made the backup.
 */
const BEFORE_MS = 24 * HOUR_MS;
/** For gateways whose clocks were ahead. */
const AFTER_MS = HOUR_MS;
