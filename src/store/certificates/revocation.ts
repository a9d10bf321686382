// Revoking, one with what was renewed from it or all of a person, and what the revocation lists hold. With a
// key that is compromised goes every certificate of that key, and what was made with those.

import { actorText } from '../../domain/actor.ts';
import { comparableAddress } from '../../domain/email-address.ts';
import { type SqlBool, sql, type Transaction } from 'kysely';
import type { RevocationReason } from '../../domain/certificate.ts';
import type { AccountCaId, AccountId, CertificateId } from '../../domain/id.ts';
import { noteRetired } from './account-cas.ts';
import type {
  CertificateTable,
  KeptCertificate,
  RevokedCertificate,
  RevokedSerialRow,
} from './certificate.ts';
import { toCertificate } from './row.ts';
import { markCompromised, waitForCertifying } from './compromised-keys.ts';
import { inBatches } from '../columns.ts';
import type { Records } from '../records.ts';
import { revokedSerialsAfter, revokedSerialsAmong } from './revoked-serials.ts';
import type { Tables } from '../tables.ts';
import type { ClientCertificatesTable } from './tables.ts';

/** As `CertificateTable.revoke()`. */
export function revoke(
  { write, locks }: Records,
  { accountId, chosen, reason, by, at }: Parameters<CertificateTable['revoke']>[0],
): Promise<readonly KeptCertificate[]> {
  return write(async ({ db, note }) => {
    const isCompromise = reason === 'key_compromise';
    if (isCompromise) await waitForCertifying({ db, locks }, accountId);
    const living = db
      .updateTable('client_certificates')
      .set({ revoked_at: at, revocation_reason: reason, revoked_by: by })
      .where('account_id', '=', accountId)
      // In words that no index has: those that are meant are few, and an account may have very many.
      .where(sql<SqlBool>`revoked_at + 0 IS NULL`)
      .where(sql<SqlBool>`not_after + 0 > ${at}`)
      .returningAll();
    const revoked: ClientCertificatesTable[] = [];
    const takeLine = async (roots: readonly string[]): Promise<void> => {
      const seen = new Set<string>();
      // One generation after the other. Renewing one waits for the row here, and then finds it revoked.
      for (let generation = roots; generation.length > 0;) {
        for (const batch of inBatches(generation))
          for (const row of await living.where('id', 'in', batch).execute()) revoked.push(row);
        for (const id of generation) seen.add(id);
        const next = reason === 'superseded' ? [] : await successors(db, accountId, generation);
        const made = isCompromise ? await issuedBy(db, accountId, generation) : [];
        generation = [...new Set([...next, ...made])].filter((id) => !seen.has(id));
      }
    };
    if ('emailAddress' in chosen || 'roleOf' in chosen) {
      const theirs =
        'roleOf' in chosen
          ? living.where('api_role', 'is not', null).where('allowed_by', '=', chosen.roleOf)
          : living.where('email_address', '=', comparableAddress(chosen.emailAddress));
      // Once more, for what was renewed while this waited for the row that it was renewed from.
      for (let found = -1; found !== 0;) {
        const rows = await theirs.execute();
        found = rows.length;
        for (const row of rows) revoked.push(row);
      }
    } else
      await takeLine(
        'id' in chosen ? [chosen.id] : await certificatesOf(db, { accountId, keyHashes: [chosen.keyHash] }),
      );
    if (isCompromise) {
      const within = 'id' in chosen ? chosen.within : undefined;
      const ofKeys = { accountId, keyHashes: await keysOf(db, accountId, chosen) };
      await takeLine(await certificatesOf(db, ofKeys, within));
      // What a holder may take is revoked by now: what still lives of a key is another's.
      const others = within === undefined ? new Set<string>() : await livingKeysOf(db, ofKeys, at);
      const keyHashes = ofKeys.keyHashes.filter((keyHash) => !others.has(keyHash));
      await markCompromised(db, { accountId, keyHashes, at, by });
    }
    for (const { id } of revoked) note({ kind: 'certificate', id: id as CertificateId });
    await noteRetired(
      { db, locks, note },
      revoked.map((row) => row.ca_id as AccountCaId),
    );
    return revoked.map(toCertificate);
  });
}

/** Of those that are chosen, whatever became of them. */
async function keysOf(
  db: Transaction<Tables>,
  accountId: AccountId,
  chosen: Parameters<CertificateTable['revoke']>[0]['chosen'],
): Promise<readonly string[]> {
  if ('keyHash' in chosen) return [chosen.keyHash];
  const all = db.selectFrom('client_certificates').select('key_hash').where('account_id', '=', accountId);
  const theirs =
    'roleOf' in chosen
      ? all.where('api_role', 'is not', null).where('allowed_by', '=', chosen.roleOf)
      : 'id' in chosen
        ? all.where('id', '=', chosen.id)
        : all.where('email_address', '=', comparableAddress(chosen.emailAddress));
  const rows = await theirs.execute();
  return [...new Set(rows.map((row) => row.key_hash))];
}

type OfKeys = { readonly accountId: AccountId; readonly keyHashes: readonly string[] };

/** `within`: only those of this person. */
async function certificatesOf(
  db: Transaction<Tables>,
  { accountId, keyHashes }: OfKeys,
  within?: string,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const batch of inBatches(keyHashes)) {
    const rows = await db
      .selectFrom('client_certificates')
      .select('id')
      .where('account_id', '=', accountId)
      .where('key_hash', 'in', batch)
      .$if(within !== undefined, (select) =>
        select.where('email_address', '=', comparableAddress(within ?? '')),
      )
      .execute();
    for (const { id } of rows) found.push(id);
  }
  return found;
}

/** Those of these keys of which something is good still. */
async function livingKeysOf(
  db: Transaction<Tables>,
  { accountId, keyHashes }: OfKeys,
  at: number,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const batch of inBatches(keyHashes)) {
    const rows = await db
      .selectFrom('client_certificates')
      .select('key_hash')
      .distinct()
      .where('account_id', '=', accountId)
      .where('key_hash', 'in', batch)
      .where('revoked_at', 'is', null)
      .where('not_after', '>', at)
      .execute();
    for (const row of rows) found.add(row.key_hash);
  }
  return found;
}

/** What was issued for the request tokens that these made, where they have a role at the control API. */
function issuedBy(
  db: Transaction<Tables>,
  accountId: AccountId,
  ids: readonly string[],
): Promise<readonly string[]> {
  return idsIn(ids, (batch) =>
    db
      .selectFrom('client_certificates')
      .select('id')
      .where('account_id', '=', accountId)
      .where(
        'allowed_by',
        'in',
        batch.map((id) => actorText({ kind: 'certificate', id: id as CertificateId })),
      )
      // Word for word the condition of the index.
      .where('allowed_by', 'like', 'certificate:%')
      .execute(),
  );
}

function successors(
  db: Transaction<Tables>,
  accountId: AccountId,
  ids: readonly string[],
): Promise<readonly string[]> {
  return idsIn(ids, (batch) =>
    db
      .selectFrom('client_certificates')
      .select('id')
      .where('account_id', '=', accountId)
      .where('renewed_from', 'in', batch)
      .execute(),
  );
}

async function idsIn(
  ids: readonly string[],
  rowsOf: (batch: readonly string[]) => Promise<readonly { readonly id: string }[]>,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const batch of inBatches(ids)) for (const { id } of await rowsOf(batch)) found.push(id);
  return found;
}

/** As `CertificateTable.revokedBy()`. */
export async function revokedBy(
  records: Records,
  caId: AccountCaId,
  page: Parameters<CertificateTable['revokedBy']>[1],
): Promise<readonly RevokedCertificate[]> {
  const rows = await stillRevoked(records, page)
    .select(['id', 'ca_id', 'serial', 'fingerprint', 'revoked_at', 'revocation_reason'])
    .where('ca_id', '=', caId)
    .execute();
  return [...rows.map(toRevoked), ...(await revokedSerialsAfter(records.read, rest(page, rows), caId))];
}

/** As `CertificateTable.allRevoked()`. */
export async function allRevoked(
  records: Records,
  page: Parameters<CertificateTable['allRevoked']>[0],
): Promise<readonly RevokedSerialRow[]> {
  const rows = await stillRevoked(records, page).select(SERIAL_COLUMNS).execute();
  return [...rows.map(toRevokedSerial), ...(await revokedSerialsAfter(records.read, rest(page, rows)))];
}

/** What a page has room for after the certificates. */
function rest(page: Parameters<CertificateTable['allRevoked']>[0], { length }: readonly unknown[]) {
  return { ...page, limit: page.limit - length };
}

/** A page of those whose revocation still has to be told, since they would count otherwise. */
function stillRevoked(
  { read }: Records,
  { now, after, limit }: Parameters<CertificateTable['allRevoked']>[0],
) {
  return read
    .selectFrom('client_certificates')
    .where('revoked_at', 'is not', null)
    .where('not_after', '>', now)
    .where('id', '>', after ?? '')
    .orderBy('id')
    .limit(limit);
}

/** As `CertificateTable.revokedAmong()`. */
export async function revokedAmong(
  { read }: Records,
  ids: readonly string[],
): Promise<readonly RevokedSerialRow[]> {
  const found = [...(await revokedSerialsAmong(read, ids))];
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
