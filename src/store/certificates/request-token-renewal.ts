// Request tokens by which a holder renews a certificate: one open at a time for each certificate, and none
// for what was revoked, renewed or is over, at the moment when the token is made and at the moment when it is
// redeemed.

import type { Transaction } from 'kysely';
import type { AccountId, CertificateId } from '../../domain/id.ts';
import type { CertificateRequestTokenTable, NewRenewalToken, RenewalAnswer } from './certificate.ts';
import { tokenColumns } from './row.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import { isStillMaker } from './token-maker.ts';

/** As `CertificateRequestTokenTable.createRenewal()`. */
export function createRenewal(
  { write, locks }: Records,
  token: NewRenewalToken,
  hash: string,
): ReturnType<CertificateRequestTokenTable['createRenewal']> {
  const { accountId, createdBy, createdAt: at, renews } = token;
  return write(async ({ db }): Promise<RenewalAnswer> => {
    // Of two at once the later one's is good.
    await locks.name(db, `renewal of ${renews}`);
    if (!(await isStillMaker({ db, locks }, { accountId, createdBy, at }))) return 'maker_gone';
    const state = await renewalState({ db, locks }, { accountId, renews, at });
    if (state !== 'free') return state;
    await db
      .deleteFrom('certificate_request_tokens')
      .where('renews', '=', renews)
      .where('account_id', '=', accountId)
      .where('used_at', 'is', null)
      .execute();
    await db.insertInto('certificate_request_tokens').values(tokenColumns(token, hash)).execute();
    return 'made';
  });
}

type Renewing = { readonly accountId: AccountId; readonly renews: CertificateId; readonly at: number };

/**
 * Whether anything may take the certificate's place. Whoever revokes it, or takes its place, at the same
 * moment waits.
 */
export async function renewalState(
  { db, locks }: { readonly db: Transaction<Tables>; readonly locks: Records['locks'] },
  { accountId, renews, at }: Renewing,
): Promise<'free' | 'over' | 'renewed'> {
  const living = await db
    .selectFrom('client_certificates')
    .select('id')
    .where('id', '=', renews)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('not_after', '>', at)
    .modifyEnd(locks.changing)
    .executeTakeFirst();
  if (living === undefined) return 'over';
  const successor = await db
    .selectFrom('client_certificates')
    .select('id')
    .where('renewed_from', '=', renews)
    .where('account_id', '=', accountId)
    .where('revoked_at', 'is', null)
    .where('not_after', '>', at)
    .executeTakeFirst();
  return successor === undefined ? 'free' : 'renewed';
}
