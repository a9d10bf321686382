// Certificate request tokens: only their SHA-256 is kept. One is used up in the transaction that keeps its
// certificate, so there is never one without the other, nor without its audit event (contract 2.7).

import { comparableAddress } from '../../domain/email-address.ts';
import { type SqlBool, sql, type Transaction } from 'kysely';
import type { AuditEvent } from '../../domain/audit-event.ts';
import { actorText } from '../../domain/actor.ts';
import type { AccountId, CertificateId, CertificateRequestTokenId, MemberId } from '../../domain/id.ts';
import type { Certificate } from '../../domain/certificate.ts';
import { noteRetired } from './account-cas.ts';
import { appendEvents } from '../audit/audit.ts';
import type {
  CertificateRequestToken,
  CertificateRequestTokenTable,
  KeptCertificate,
  NewToken,
  TokenLimits,
  TokenMaking,
} from './certificate.ts';
import { certificateColumns, toCertificate, tokenColumns, toToken } from './row.ts';
import { inBatches } from '../columns.ts';
import { compiledOnce } from '../compiled.ts';
import { insertCertificate } from './insert.ts';
import { requireUncompromised } from './compromised-keys.ts';
import { type MakerNow, requireMaker } from '../people/maker.ts';
import type { Records } from '../records.ts';
import { requireCertificateRoom } from './count.ts';
import { requireRoom } from '../room.ts';
import type { Tables } from '../tables.ts';
import { countRequestTokens, listRequestTokens } from './request-token-list.ts';
import { createRenewal, renewalState } from './request-token-renewal.ts';
import { noteIssued } from '../restores.ts';
import { isStillMaker } from './token-maker.ts';
import { likePart } from '../like-part.ts';

export function createCertificateRequestTokenTable(records: Records): CertificateRequestTokenTable {
  const { read, write } = records;
  return {
    create: (token, hash, { most, by } = {}) =>
      write(async ({ db }) => {
        if (most !== undefined) await requireTokenRoom(records, db, { token, most });
        if (by !== undefined) await requireMaker(records, db, makerOf(by, token));
        const columns = tokenColumns({ ...token, renews: null }, hash);
        await db.insertInto('certificate_request_tokens').values(columns).execute();
      }),
    createRenewal: (token, hash) => createRenewal(records, token, hash),
    findByHash: async (hash) => {
      const { rows } = await tokenOfHash({ locks: records.locks, db: read }, { hash });
      return rows[0] === undefined ? null : toToken(rows[0]);
    },
    find: async (accountId, id) => {
      const row = await read
        .selectFrom('certificate_request_tokens')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? null : toToken(row);
    },
    list: (accountId, page) => listRequestTokens(records, accountId, page),
    countFound: (accountId, state, most) => countRequestTokens(records, accountId, { state, most }),
    remove: (accountId, id) =>
      write(async ({ db }) => {
        const row = await db
          .deleteFrom('certificate_request_tokens')
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirst();
        return row === undefined ? null : toToken(row);
      }),
    removeUnusedOf: (accountId, emailAddress) => removeUnusedOf(records, { accountId, emailAddress }),
    redeem: (id, certificate, { events = [], most } = {}) =>
      redeem(records, { id, certificate, events, most }),
  };
}

/** Whose access ends at the same moment leaves none behind. */
function makerOf(
  { memberId, keyId, sessionHash }: NonNullable<TokenMaking['by']>,
  { accountId }: NewToken,
): MakerNow {
  return { accountId, memberId, keyId, sessionHash, made: 'certificate request token' };
}

/** Each open token may become a certificate. */
async function requireTokenRoom(
  { locks }: Records,
  db: Transaction<Tables>,
  { token, most }: { readonly token: NewToken; readonly most: TokenLimits },
): Promise<void> {
  const { accountId, createdAt } = token;
  await requireRoom(locks, db, {
    accountId,
    key: 'certificate_request_tokens',
    most: most.tokens,
    count: async () => {
      const { count } = await db
        .selectFrom('certificate_request_tokens')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('account_id', '=', accountId)
        .where('used_at', 'is', null)
        .where('expires_at', '>', createdAt)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  });
  await requireCertificateRoom(locks, db, {
    accountId,
    at: createdAt,
    most: most.certificates,
    isRenewal: false,
  });
}

type OfPerson = {
  readonly accountId: AccountId;
  readonly emailAddress: string;
  /** With those for a role at the control API that these members give, whomever they name. */
  readonly makers?: readonly MemberId[];
};

/**
 * Those that can still be redeemed, at whichever gateway, and few more. The address stands within the
 * subject, and each is held against it that has the same text somewhere.
 */
export async function unusedTokensOf(
  { clock }: Pick<Records, 'clock'>,
  db: Records['read'],
  { accountId, emailAddress, makers = [] }: OfPerson,
): Promise<readonly CertificateRequestToken[]> {
  const address = comparableAddress(emailAddress);
  const madeBy = makers.map((id) => actorText({ kind: 'member', id }));
  const rows = await db
    .selectFrom('certificate_request_tokens')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<number>`${clock()} - ${sql.lit(CLOCKS_DIFFER_MS)}`)
    .where((eb) =>
      eb.or([
        sql<SqlBool>`lower(subject) LIKE ${likePart(JSON.stringify(address))} ESCAPE '!'`,
        ...madeBy.map((maker) => eb.and([eb('api_role', 'is not', null), eb('created_by', '=', maker)])),
      ]),
    )
    // Few, which no index has in order.
    .orderBy(sql`id || ''`)
    .execute();
  return rows.map(toToken).filter(({ subject, apiRole, createdBy }) => {
    const isTheirs = subject.emailAddress !== null && comparableAddress(subject.emailAddress) === address;
    return isTheirs || (apiRole !== null && madeBy.some((maker) => maker === createdBy));
  });
}

export function removeUnusedOf(
  records: Records,
  person: OfPerson,
): Promise<readonly CertificateRequestToken[]> {
  return records.write(async ({ db }) => {
    const found = (await unusedTokensOf(records, db, person)).map(({ id }) => id);
    const removed: CertificateRequestToken[] = [];
    for (const batch of inBatches(found)) {
      const rows = await db
        .deleteFrom('certificate_request_tokens')
        .where('id', 'in', batch)
        // One that is used up at this moment is waited for here.
        .where('used_at', 'is', null)
        .returningAll()
        .execute();
      for (const row of rows) removed.push(toToken(row));
    }
    return removed;
  });
}

type Redeeming = {
  readonly id: CertificateRequestTokenId;
  readonly certificate: Certificate;
  readonly events: readonly AuditEvent[];
  readonly most: number | undefined;
};

function redeem(
  records: Records,
  { id, certificate, events, most }: Redeeming,
): Promise<KeptCertificate | null> {
  const { accountId, createdAt } = certificate;
  return records.write(async ({ db, note }) => {
    const on = { db, locks: records.locks };
    await requireUncompromised(on, certificate);
    const [token] = (await makingOf(on, { id, accountId })).rows;
    if (token === undefined) return null;
    const maker = { accountId, createdBy: token.created_by, at: createdAt };
    if (!(await isStillMaker(on, maker))) return null;
    const renews = token.renews as CertificateId | null;
    if (renews !== null && (await renewalState(on, { accountId, renews, at: createdAt })) !== 'free')
      return null;
    const claimed = await claim(on, { id, at: createdAt, certificateId: certificate.id });
    if (claimed.numAffectedRows !== 1n) return null;
    // Refused, nothing of this is kept: the token stays good.
    const isRenewal = renews !== null;
    await requireCertificateRoom(records.locks, db, { accountId, at: createdAt, most, isRenewal });
    const columns = certificateColumns(certificate);
    await insertCertificate(on, columns);
    await noteRetired({ ...on, note }, [certificate.caId]);
    await noteIssued({ ...on, note }, certificate);
    await appendEvents(records, db, events);
    return toCertificate(columns);
  });
}

const tokenOfHash = compiledOnce(({ db }, { hash }: { readonly hash: string }) =>
  db
    .selectFrom('certificate_request_tokens')
    .innerJoin('accounts', 'accounts.id', 'certificate_request_tokens.account_id')
    .selectAll('certificate_request_tokens')
    .where('certificate_request_tokens.hash', '=', hash)
    .where('accounts.suspended', '=', 0),
);
const makingOf = compiledOnce(
  ({ db }, { id, accountId }: Pick<CertificateRequestToken, 'id' | 'accountId'>) =>
    db
      .selectFrom('certificate_request_tokens')
      .select(['created_by', 'renews'])
      .where('id', '=', id)
      .where('account_id', '=', accountId),
);
type Claim = Pick<Redeeming, 'id'> & { readonly at: number; readonly certificateId: CertificateId };
const claim = compiledOnce(({ db }, { id, at, certificateId }: Claim) =>
  db
    .updateTable('certificate_request_tokens')
    .set({ used_at: at, certificate_id: certificateId })
    .where('id', '=', id)
    .where('used_at', 'is', null)
    .where('expires_at', '>', at),
);
/** One that has expired by one clock may be redeemed yet by a gateway whose clock is behind. */
const CLOCKS_DIFFER_MS = 60 * 60 * 1000;
