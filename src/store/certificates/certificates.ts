// What was issued. A certificate is never deleted before it is over; a revoked one stays on the lists until
// then.

import type { CertificateUse } from '../../domain/certificate-use.ts';
import type { AccountId, CertificateId } from '../../domain/id.ts';
import { countCertificates } from './count.ts';
import type { CertificateTable } from './certificate.ts';
import { countFoundCertificates, listCertificates } from './list.ts';
import { indexCertificates } from './words.ts';
import { renew } from './renewal.ts';
import { allRevoked, revoke, revokedAmong, revokedBy } from './revocation.ts';
import { noteExpiring } from './notices.ts';
import { toCertificate } from './row.ts';
import { inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import { revokedSerialsState } from './revoked-serials.ts';
import { inventoryGaps, knownAmong, knownInGaps } from '../restores.ts';

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
    withSerials: (serials) => withSerials(records, serials),
    list: (query) => listCertificates(records, query),
    countFound: (query, most) => countFoundCertificates(records, query, most),
    index: () => indexCertificates(records),
    count: (accountId, by) => countCertificates(records, accountId, by),
    renew: (certificate, since, most) => renew(records, certificate, { since, most }),
    revoke: (of) => revoke(records, of),
    revocationState: async (caId) => {
      const row = await read
        .selectFrom('client_certificates')
        .select((eb) => [eb.fn.countAll<number>().as('count'), eb.fn.max('revoked_at').as('last')])
        .where('ca_id', '=', caId)
        .where('revoked_at', 'is not', null)
        .executeTakeFirstOrThrow();
      return `${row.count} ${row.last ?? ''}${await revokedSerialsState(read, caId)}`;
    },
    revokedBy: (caId, page) => revokedBy(records, caId, page),
    allRevoked: (page) => allRevoked(records, page),
    revokedAmong: (ids) => revokedAmong(records, ids),
    gaps: (now) => inventoryGaps({ db: read, locks: records.locks }, now),
    knownInGaps: (page) => knownInGaps(records, page),
    knownAmong: (ids, now) => knownAmong(records, ids, now),
    noteExpiring: (now) => noteExpiring(records, now),
    seen: (uses) => seen(records, uses),
  };
}

async function withSerials(
  { read }: Records,
  serials: readonly string[],
): ReturnType<CertificateTable['withSerials']> {
  const found: Awaited<ReturnType<CertificateTable['withSerials']>>[number][] = [];
  for (const batch of inBatches(serials)) {
    const rows = await read
      .selectFrom('client_certificates')
      .select(['id', 'account_id', 'serial', 'email_address'])
      .where('serial', 'in', batch)
      .execute();
    for (const { id, account_id, serial, email_address: email } of rows)
      found.push({ id: id as CertificateId, accountId: account_id as AccountId, serial, email });
  }
  return found;
}

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
