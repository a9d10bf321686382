// Keeps what takes the place of another. Whoever renews the same at the same time waits: with the same key
// they get the same.

import type { Transaction } from 'kysely';
import type { Certificate } from '../../domain/certificate.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { noteRetired } from './account-cas.ts';
import type { KeptCertificate } from './certificate.ts';
import { requireCertificateRoom } from './count.ts';
import { insertCertificate } from './insert.ts';
import { certificateColumns, toCertificate } from './row.ts';
import { requireUncompromised } from './compromised-keys.ts';
import type { Records } from '../records.ts';
import { noteIssued } from '../restores.ts';
import type { Tables } from '../tables.ts';

/** As `CertificateTable.renew()`. */
export function renew(
  { write, locks }: Records,
  certificate: Certificate,
  { since, most }: { readonly since: number; readonly most: number | undefined },
): Promise<KeptCertificate | null> {
  return write(async ({ db, note }) => {
    if (certificate.tokenId !== null) await locks.name(db, `certificates of ${certificate.tokenId}`);
    await requireUncompromised({ db, locks }, certificate);
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
    const known = await renewedLately(db, certificate, since);
    if (known !== null) return known;
    await requireFew(db, certificate);
    await requireShortLine(db, certificate);
    const { accountId, createdAt: at } = certificate;
    await requireCertificateRoom(locks, db, { accountId, at, most, isRenewal: true });
    const columns = certificateColumns(certificate);
    await insertCertificate({ db, locks }, columns);
    await noteRetired({ db, locks, note }, [certificate.caId]);
    await noteIssued({ db, locks, note }, certificate);
    return toCertificate(columns);
  });
}

async function renewedLately(
  db: Transaction<Tables>,
  { renewedFrom, keyHash, createdAt }: Certificate,
  since: number,
): Promise<KeptCertificate | null> {
  const row = await db
    .selectFrom('client_certificates')
    .selectAll()
    .where('renewed_from', '=', renewedFrom)
    .where('key_hash', '=', keyHash)
    .where('created_at', '>', since)
    .where('revoked_at', 'is', null)
    .where('not_after', '>', createdAt)
    .orderBy('created_at', 'desc')
    .executeTakeFirst();
  return row === undefined ? null : toCertificate(row);
}

async function requireFew(db: Transaction<Tables>, { renewedFrom }: Certificate): Promise<void> {
  const { count } = await db
    .selectFrom('client_certificates')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('renewed_from', '=', renewedFrom)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_RENEWALS)
    throw new ServiceError('rate_limited', 'Cannot renew the certificate: it was renewed too many times', {
      hint: 'Renew its latest renewal instead.',
    });
}

/**
 * Whoever holds one certificate cannot fill the account's list: all that goes back to one token counts
 * together.
 */
async function requireShortLine(
  db: Transaction<Tables>,
  { accountId, tokenId, createdAt }: Certificate,
): Promise<void> {
  if (tokenId === null) return;
  const { count } = await db
    .selectFrom('client_certificates')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('account_id', '=', accountId)
    .where('token_id', '=', tokenId)
    .where('revoked_at', 'is', null)
    .where('not_after', '>', createdAt)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MAX_LIVING_OF_TOKEN)
    throw new ServiceError(
      'rate_limited',
      `Cannot renew the certificate: ${count} certificates of the same token are still valid`,
      { hint: 'Use one of those, or ask an admin to revoke certificates that are not needed.' },
    );
}

/** One is the rule; the rest is for machines that lose what they got. */
const MAX_RENEWALS = 20;
/**
 * A certificate and its successor are the rule; the rest is for machines that share a first one, or lose what
 * they got.
 */
const MAX_LIVING_OF_TOKEN = 50;
