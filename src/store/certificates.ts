// What was issued. A certificate is never deleted before it is over; a revoked one stays on the lists until then.

import type { Certificate, RevocationReason } from '../domain/certificate.ts';
import type { CertificateId, AccountCaId } from '../domain/id.ts';
import type {
  CertificateQuery,
  CertificateTable,
  CertificateUse,
  KeptCertificate,
  RevokedCertificate,
  RevokedSerialRow,
} from './certificate.ts';
import { certificateColumns, toCertificate } from './certificate-row.ts';
import { inBatches } from './columns.ts';
import type { Records } from './records.ts';
import type { ClientCertificatesTable } from './tables.ts';

export function createCertificateTable(records: Records): CertificateTable {
  const { read } = records;
  return {
    find: async (accountId, named) => {
      const row = await read
        .selectFrom('client_certificates')
        .selectAll()
        .where('account_id', '=', accountId)
        .where((eb) =>
          eb.or([
            eb('id', '=', named),
            eb('serial', '=', named.toUpperCase()),
            eb('fingerprint', '=', named.replaceAll(':', '').toLowerCase()),
          ]),
        )
        .executeTakeFirst();
      return row === undefined ? null : toCertificate(row);
    },
    findByFingerprint: async (fingerprint) => {
      const row = await read
        .selectFrom('client_certificates')
        .selectAll()
        .where('fingerprint', '=', fingerprint)
        .executeTakeFirst();
      return row === undefined ? null : toCertificate(row);
    },
    list: (query) => list(records, query),
    renew: (certificate) => renew(records, certificate),
    revoke: (of) => revoke(records, of),
    revocationState: async (caId) => {
      const row = await read
        .selectFrom('client_certificates')
        .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('revoked_at').as('last')])
        .where('ca_id', '=', caId)
        .where('revoked_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return `${row.count} ${row.last ?? ''}`;
    },
    revokedBy: (caId, page) => revokedBy(records, caId, page),
    allRevoked: async ({ now, after, limit }) => {
      const rows = await read
        .selectFrom('client_certificates')
        .select(SERIAL_COLUMNS)
        .where('revoked_at', 'is not', null)
        .where('not_after', '>', now)
        .where('id', '>', after ?? '')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toRevokedSerial);
    },
    revokedAmong: async (ids) => {
      const found: RevokedSerialRow[] = [];
      for (const batch of inBatches(ids)) {
        const rows = await read
          .selectFrom('client_certificates')
          .select(SERIAL_COLUMNS)
          .where('id', 'in', batch)
          .where('revoked_at', 'is not', null)
          .execute();
        found.push(...rows.map(toRevokedSerial));
      }
      return found;
    },
    seen: (uses) => seen(records, uses),
  };
}

async function list({ read }: Records, query: CertificateQuery): Promise<readonly KeptCertificate[]> {
  const { accountId, emailAddress, state, now, after, limit } = query;
  let rows = read
    .selectFrom('client_certificates')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('id', '>', after ?? '');
  if (emailAddress !== null) rows = rows.where('email_address', '=', emailAddress.toLowerCase());
  if (state === 'revoked') rows = rows.where('revoked_at', 'is not', null);
  if (state === 'living') rows = rows.where('revoked_at', 'is', null).where('not_after', '>', now);
  if (state === 'expired') rows = rows.where('not_after', '<=', now);
  return (await rows.orderBy('id').limit(limit).execute()).map(toCertificate);
}

function renew({ write, locks }: Records, certificate: Certificate): Promise<KeptCertificate | null> {
  return write(async ({ db }) => {
    const before = await db
      .selectFrom('client_certificates')
      .select('id')
      .where('id', '=', certificate.renewedFrom)
      .where('account_id', '=', certificate.accountId)
      .where('revoked_at', 'is', null)
      .where('not_after', '>', certificate.createdAt)
      // A revocation of all of a person's waits, and then finds the new one, too.
      .modifyEnd(locks.changing)
      .executeTakeFirst();
    if (before === undefined) return null;
    const columns = certificateColumns(certificate);
    await db.insertInto('client_certificates').values(columns).execute();
    return toCertificate(columns);
  });
}

function revoke(
  { write }: Records,
  { accountId, chosen, reason, by, at }: Parameters<CertificateTable['revoke']>[0],
): Promise<readonly KeptCertificate[]> {
  return write(async ({ db, note }) => {
    const named =
      'id' in chosen
        ? ({ column: 'id', value: chosen.id } as const)
        : ({ column: 'email_address', value: chosen.emailAddress.toLowerCase() } as const);
    const revoked: ClientCertificatesTable[] = [];
    // Once more, for what was renewed while this waited for the row that it was renewed from.
    for (let found = -1; found !== 0;) {
      const rows = await db
        .updateTable('client_certificates')
        .set({ revoked_at: at, revocation_reason: reason, revoked_by: by })
        .where('account_id', '=', accountId)
        .where(named.column, '=', named.value)
        .where('revoked_at', 'is', null)
        .where('not_after', '>', at)
        .returningAll()
        .execute();
      found = rows.length;
      revoked.push(...rows);
    }
    for (const { id } of revoked) note({ kind: 'certificate', id: id as CertificateId });
    return revoked.map(toCertificate);
  });
}

async function revokedBy(
  { read }: Records,
  caId: AccountCaId,
  { now, after, limit }: Parameters<CertificateTable['revokedBy']>[1],
): Promise<readonly RevokedCertificate[]> {
  const rows = await read
    .selectFrom('client_certificates')
    .select(['id', 'ca_id', 'serial', 'fingerprint', 'revoked_at', 'revocation_reason'])
    .where('ca_id', '=', caId)
    .where('revoked_at', 'is not', null)
    .where('not_after', '>', now)
    .where('id', '>', after ?? '')
    .orderBy('id')
    .limit(limit)
    .execute();
  return rows.map(toRevoked);
}

type RevokedRow = Pick<
  ClientCertificatesTable,
  'id' | 'ca_id' | 'serial' | 'fingerprint' | 'revoked_at' | 'revocation_reason'
>;

function toRevoked(row: RevokedRow): RevokedCertificate {
  return {
    id: row.id as CertificateId,
    caId: row.ca_id as AccountCaId,
    serial: row.serial,
    fingerprint: row.fingerprint,
    revokedAt: row.revoked_at ?? 0,
    reason: (row.revocation_reason ?? 'unspecified') as RevocationReason,
  };
}

function toRevokedSerial(
  row: Pick<ClientCertificatesTable, (typeof SERIAL_COLUMNS)[number]>,
): RevokedSerialRow {
  return {
    id: row.id as CertificateId,
    caId: row.ca_id as AccountCaId,
    serial: row.serial,
    notAfter: row.not_after,
  };
}

const SERIAL_COLUMNS = ['id', 'ca_id', 'serial', 'not_after'] as const;

async function seen({ write }: Records, uses: readonly CertificateUse[]): Promise<void> {
  if (uses.length === 0) return;
  // In one order, so that two gateways never wait for each other in a circle.
  const ordered = uses.toSorted((a, b) => (a.fingerprint < b.fingerprint ? -1 : 1));
  await write(async ({ db }) => {
    for (const { fingerprint, at, on, from } of ordered)
      await db
        .updateTable('client_certificates')
        .set({ last_used_at: at, last_used_on: on, last_used_from: from })
        .where('fingerprint', '=', fingerprint)
        .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', at - SEEN_STEP_MS)]))
        .execute();
  });
}

/** "Last used" is shown to the minute. */
const SEEN_STEP_MS = 60_000;
