// Revocations of certificates that the store does not know: each is an authority's serial. They follow the
// certificates wherever those that are revoked are told, in pages by id: every `cer_` comes before every
// `rvs_`.

import type { Kysely, Transaction } from 'kysely';
import type { RevocationReason } from '../../domain/certificate.ts';
import { type AccountCaId, newId, type RevokedSerialId } from '../../domain/id.ts';
import type { RevokedCertificate, RevokedSerialRow } from './certificate.ts';
import { BATCH_ROWS, inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import type { RevokedSerialTable } from './revoked-serial.ts';
import { countOf, requireRoom } from '../room.ts';
import type { Tables } from '../tables.ts';
import type { RevokedSerialsTable } from './tables.ts';

export function createRevokedSerialTable(records: Records): RevokedSerialTable {
  return { add: (of) => add(records, of) };
}

function add(
  { write, locks }: Records,
  { accountId, serials, reason, by, at, most }: Parameters<RevokedSerialTable['add']>[0],
): ReturnType<RevokedSerialTable['add']> {
  return write(async ({ db, note }) => {
    const key = 'revoked_serials';
    const rows: RevokedSerialsTable[] = [];
    for (const batch of inBatches(serials))
      rows.push(
        ...(await db
          .insertInto('revoked_serials')
          .values(
            batch.map(({ caId, serial, notAfter }) => ({
              id: newId('rvs'),
              account_id: accountId,
              ca_id: caId,
              serial,
              not_after: notAfter,
              revoked_at: at,
              reason,
              revoked_by: by,
            })),
          )
          .onConflict((conflict) => conflict.columns(['ca_id', 'serial']).doNothing())
          .returningAll()
          .execute()),
      );
    // Nothing is refused to whoever revokes again what is revoked.
    if (rows.length === 0) return [];
    // What was inserted counts already, so as many as there may be are still allowed.
    const count = async () => (await countOf(db, key, accountId)) - 1;
    await requireRoom(locks, db, { accountId, key, most, count });
    for (const { id } of rows) note({ kind: 'certificate', id: id as RevokedSerialId });
    return rows.map(toSerial);
  });
}

type Page = { readonly now: number; readonly after: string | null; readonly limit: number };

/** As `CertificateTable.allRevoked()`, of these alone; with `caId`, of one authority. */
export async function revokedSerialsAfter(
  read: Kysely<Tables>,
  { now, after, limit }: Page,
  caId?: AccountCaId,
): Promise<readonly (RevokedCertificate & RevokedSerialRow)[]> {
  if (limit <= 0) return [];
  const rows = await read
    .selectFrom('revoked_serials')
    .selectAll()
    .$if(caId !== undefined, (select) => select.where('ca_id', '=', caId ?? ''))
    .where('not_after', '>', now)
    .where('id', '>', after ?? '')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toRevoked);
}

/** As `CertificateTable.revokedAmong()`. */
export async function revokedSerialsAmong(
  read: Kysely<Tables>,
  ids: readonly string[],
): Promise<readonly RevokedSerialRow[]> {
  const found: RevokedSerialRow[] = [];
  for (const batch of inBatches(ids.filter((id) => id.startsWith('rvs_')))) {
    const rows = await read.selectFrom('revoked_serials').selectAll().where('id', 'in', batch).execute();
    found.push(...rows.map(toRevoked));
  }
  return found;
}

/** Another text after each change of these under an authority; empty while there is none. */
export async function revokedSerialsState(read: Kysely<Tables>, caId: AccountCaId): Promise<string> {
  const row = await read
    .selectFrom('revoked_serials')
    .select((eb) => [
      eb.fn.countAll<number>().as('count'),
      eb.fn.max('revoked_at').as('last'),
      eb.fn.max('id').as('id'),
    ])
    .where('ca_id', '=', caId)
    .executeTakeFirstOrThrow();
  return Number(row.count) === 0 ? '' : ` ${row.count} ${row.last} ${row.id}`;
}

/** Once the certificate is over, and a list was signed after that. Answers how many. */
export async function sweepRevokedSerials(db: Transaction<Tables>, before: number): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('revoked_serials')
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('revoked_serials')
        .select('id')
        .where('not_after', '<', before - LISTED_MS)
        .limit(BATCH_ROWS),
    )
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

function toRevoked(row: RevokedSerialsTable): RevokedCertificate & RevokedSerialRow {
  return {
    ...toSerial(row),
    id: row.id as RevokedSerialId,
    // Nobody has it here.
    fingerprint: '',
    revokedAt: row.revoked_at,
    reason: row.reason as RevocationReason,
  };
}

function toSerial({ ca_id: caId, serial, not_after: notAfter }: RevokedSerialsTable) {
  return { caId: caId as AccountCaId, serial, notAfter };
}

/** As long as a revocation list names what is over. */
const LISTED_MS = 2 * 86_400_000;
