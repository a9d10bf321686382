// What was issued. A certificate is never deleted before it is over; a revoked one stays on the lists until
// then.

import { comparableAddress } from '../../domain/email-address.ts';
import type { CertificateUse } from '../../domain/certificate-use.ts';
import type { AccountId, CertificateId } from '../../domain/id.ts';
import { countCertificates } from './count.ts';
import type { CertificateQuery, CertificateTable, KeptCertificate } from './certificate.ts';
import { renew } from './renewal.ts';
import { allRevoked, revoke, revokedAmong, revokedBy } from './revocation.ts';
import { noteExpiring } from './notices.ts';
import { toCertificate } from './row.ts';
import { hasText } from './search.ts';
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
    list: (query) => list(records, query),
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
    gaps: (now) => inventoryGaps(read, now),
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

async function list(
  { read }: Records,
  query: CertificateQuery,
): Promise<{ readonly certificates: readonly KeptCertificate[]; readonly next: string | null }> {
  const { text, tokenId, state, endsBefore, now, limit } = query;
  // Those of one token are found by an index.
  const isSearch = tokenId === null && [text, state, endsBefore].some((value) => value !== null);
  const last = isSearch ? await lastLookedAt(read, query) : undefined;
  let rows = certificatesAfter(read, query).selectAll();
  if (last !== undefined) rows = rows.where('id', '<=', last);
  if (text !== null) rows = rows.where(hasText(text));
  if (tokenId !== null) rows = rows.where('token_id', '=', tokenId);
  if (state === 'revoked') rows = rows.where('revoked_at', 'is not', null);
  if (state === 'living') rows = rows.where('revoked_at', 'is', null).where('not_after', '>', now);
  if (state === 'expired') rows = rows.where('not_after', '<=', now);
  if (endsBefore !== null) rows = rows.where('not_after', '<', endsBefore);
  const found = await rows.limit(limit + 1).execute();
  const certificates = found.slice(0, limit).map(toCertificate);
  const next = found.length > limit ? certificates.at(-1)?.id : last;
  return { certificates, next: next ?? null };
}

/** Those of an account, or of a person, by id. */
function certificatesAfter(read: Records['read'], { accountId, emailAddress, after }: CertificateQuery) {
  return read
    .selectFrom('client_certificates')
    .where('account_id', '=', accountId)
    .$if(emailAddress !== null, (select) =>
      select.where('email_address', '=', comparableAddress(emailAddress ?? '')),
    )
    .where('id', '>', after ?? '')
    .orderBy('id');
}

/** Undefined when a page can look at all that there is. */
async function lastLookedAt(read: Records['read'], query: CertificateQuery): Promise<string | undefined> {
  const row = await certificatesAfter(read, query)
    .select('id')
    .offset(MOST_LOOKED_AT - 1)
    .limit(1)
    .executeTakeFirst();
  return row?.id;
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
/** Some milliseconds on SQLite, where everything waits for it. */
const MOST_LOOKED_AT = 2_000;
