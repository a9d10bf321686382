// Whether whoever made a certificate request token may make one still: what a member, an API key or a
// certificate made is worth nothing once they are gone, over, or no admin any more (contract 2.7).

import type { Transaction } from 'kysely';
import { type Actor, parseActor } from '../../domain/actor.ts';
import type { AccountId } from '../../domain/id.ts';
import { compiledOnce } from '../compiled.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';

export type TokenMaker = {
  readonly accountId: AccountId;
  /** As `CertificateRequestToken.createdBy`. */
  readonly createdBy: string;
  readonly at: number;
};

type Asking = { readonly db: Transaction<Tables>; readonly locks: Records['locks'] };

/**
 * As of `at`, and it stays so until the transaction ends: who takes it away at the same moment waits, or is
 * waited for.
 */
export async function isStillMaker(
  asking: Asking,
  { accountId, createdBy, at }: TokenMaker,
): Promise<boolean> {
  const maker = parseActor(createdBy);
  if (maker?.kind !== 'certificate') return isAdmin(asking, { accountId, maker, at });
  const certificate = await asking.db
    .selectFrom('client_certificates')
    .select('allowed_by')
    .where('id', '=', maker.id)
    .where('account_id', '=', accountId)
    .where('api_role', '=', 'admin')
    .where('revoked_at', 'is', null)
    .where('not_after', '>', at)
    .modifyEnd(asking.locks.unchanged)
    .executeTakeFirst();
  // It is never more than who allowed it.
  if (certificate === undefined) return false;
  return isAdmin(asking, { accountId, maker: parseActor(certificate.allowed_by), at });
}

type Asked = Pick<TokenMaker, 'accountId' | 'at'> & { readonly maker: Actor | null };

/** A member or a key. Nobody else gives a certificate a role. */
async function isAdmin(asking: Asking, { accountId, maker, at }: Asked): Promise<boolean> {
  if (maker?.kind === 'member') return isAdminMember(asking, { accountId, id: maker.id });
  if (maker?.kind !== 'key') return false;
  const [key] = (await adminKey(asking, { id: maker.id, accountId, at })).rows;
  if (key === undefined) return false;
  return key.member_id === null || isAdminMember(asking, { accountId, id: key.member_id });
}

async function isAdminMember(
  asking: Asking,
  member: { readonly accountId: AccountId; readonly id: string },
): Promise<boolean> {
  const { rows } = await adminMember(asking, member);
  return rows.length > 0;
}

type Named = { readonly id: string; readonly accountId: AccountId };

const adminKey = compiledOnce(({ db, locks }, { id, accountId, at }: Named & { readonly at: number }) =>
  db
    .selectFrom('api_keys')
    .select('member_id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('role', '=', 'admin')
    .where('scope', '=', 'full')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', at)]))
    .modifyEnd(locks.unchanged),
);
const adminMember = compiledOnce(({ db, locks }, { id, accountId }: Named) =>
  db
    .selectFrom('members')
    .select('id')
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .where('role', '=', 'admin')
    .modifyEnd(locks.unchanged),
);
