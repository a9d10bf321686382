// The authorities of accounts and their rules. One of an account issues; those before it are trusted until
// the last that they issued is over. Their private keys are sealed, and opened for `pki/authority.ts` alone.

import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import { type CertificatePolicy, MAX_VALIDITY_MS, OPEN_POLICY } from '../../domain/certificate.ts';
import type { AccountCaId, AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { AccountCa, AccountCaTable, NewAccountCa, TrustedCa, VersionedPolicy } from './certificate.ts';
import { noteEndingAuthorities } from './authority-notices.ts';
import { inBatches } from '../columns.ts';
import { compiledOnce, type On } from '../compiled.ts';
import type { SealedPlace } from '../sealing/sealed-columns.ts';
import type { Records, Writing } from '../records.ts';
import type { Tables } from '../tables.ts';
import type { AccountCasTable } from './tables.ts';

export function createAccountCaTable(records: Records): AccountCaTable {
  const { read, seal } = records;
  return {
    put: (made, first) => put(records, made, first),
    list: async (accountId, now) => {
      const rows = await read
        .selectFrom('account_cas')
        .selectAll()
        .where('account_id', '=', accountId)
        .where((eb) => isTrusted(eb, now, ISSUED))
        // One alone is not retired.
        .orderBy((eb) => eb('retired_at', 'is not', null))
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(toCa);
    },
    issuing: async (accountId, now) => {
      const [row] = (await issuingRow({ db: read, locks: records.locks }, { accountId, now })).rows;
      if (row === undefined) return null;
      const ca = toCa(row);
      return { ca, privateKey: seal.open(placeOf(ca.id, accountId), row.private_key) };
    },
    privateKey: async (accountId, id) => {
      const row = await read
        .selectFrom('account_cas')
        .select('private_key')
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? null : seal.open(placeOf(id, accountId), row.private_key);
    },
    all: async (now) => withEnds(records, (await trusted(records, now).execute()).map(toCa), now),
    trustedAmong: async (ids, now) => {
      const found: AccountCa[] = [];
      for (const batch of inBatches(ids)) {
        const rows = await trusted(records, now).where('account_cas.id', 'in', batch).execute();
        found.push(...rows.map(toCa));
      }
      return withEnds(records, found, now);
    },
    policy: async (accountId) => {
      const [row] = (await policyRow({ db: read, locks: records.locks }, { accountId })).rows;
      return row === undefined ? NEVER_SET : { policy: policyOf(row.policy), version: row.version };
    },
    setPolicy: (accountId, policy, expectedVersion) =>
      setPolicy(records, { accountId, policy, expectedVersion }),
    noteEnding: (now) => noteEndingAuthorities(records, now),
  };
}

function trusted({ read }: Records, now: number) {
  return read
    .selectFrom('account_cas')
    .innerJoin('accounts', 'accounts.id', 'account_cas.account_id')
    .selectAll('account_cas')
    .where('accounts.suspended', '=', 0)
    .where((eb) => isTrusted(eb, now, COUNTING));
}

/** Of those that issue nothing more, when the last leaf that counts is over. */
async function withEnds(
  { read }: Records,
  cas: readonly AccountCa[],
  now: number,
): Promise<readonly TrustedCa[]> {
  const ends = new Map<string, number>();
  const retired = cas.filter(({ retiredAt }) => retiredAt !== null);
  for (const batch of inBatches(retired)) {
    const ids = batch.map(({ id }) => id);
    const rows = await read
      .selectFrom('client_certificates')
      .select((eb) => ['ca_id', eb.fn.max('not_after').as('end')])
      .where('ca_id', 'in', ids)
      .where('revoked_at', 'is', null)
      .where('not_after', '>', now)
      .groupBy('ca_id')
      .execute();
    for (const row of rows) ends.set(row.ca_id, Number(row.end));
  }
  return cas.map((ca) => {
    if (ca.retiredAt === null) return { ...ca, trustedUntil: ca.notAfter };
    const end = Math.max(ends.get(ca.id) ?? 0, ca.retiredAt + RETIRING_MS);
    return { ...ca, trustedUntil: Math.min(ca.notAfter, end) };
  });
}

/**
 * Tells the gateways of authorities that were retired before what they signed came in, or was revoked: it
 * changes until when they are trusted. None is retired until the transaction ends.
 */
export async function noteRetired(
  { note, ...on }: On & Pick<Writing, 'note'>,
  ids: readonly AccountCaId[],
): Promise<void> {
  // In one order, as they are locked. What one transaction writes is of few.
  for (const id of [...new Set(ids)].toSorted()) {
    const [ca] = (await retirement(on, { id })).rows;
    if (ca !== undefined && ca.retired_at !== null) note({ kind: 'ca', id });
  }
}

const retirement = compiledOnce(({ db, locks }, { id }: Pick<AccountCa, 'id'>) =>
  db.selectFrom('account_cas').select('retired_at').where('id', '=', id).modifyEnd(locks.unchanged),
);

function put(
  { write, locks }: Records,
  { ca, privateKey }: NewAccountCa,
  first: boolean,
): Promise<AccountCa> {
  return write(async ({ db, note, sealer }) => {
    await locks.name(db, `authority of ${ca.accountId}`);
    const issuing = await issuingOf(db, ca.accountId);
    // One that is over issues nothing, so the first after it takes its place.
    if (issuing !== null && first && issuing.notAfter > ca.createdAt) return issuing;
    if (issuing !== null) {
      await requireFewRotations(db, ca);
      await db
        .updateTable('account_cas')
        .set({ retired_at: ca.createdAt })
        .where('id', '=', issuing.id)
        .execute();
      note({ kind: 'ca', id: issuing.id });
    }
    await insertCa({ db, note, sealer }, { ca, privateKey });
    return { ...ca, retiredAt: null };
  });
}

/** Each rotation has every gateway make what it does handshakes with again, for all accounts. */
async function requireFewRotations(
  db: Transaction<Tables>,
  { accountId, createdAt }: NewAccountCa['ca'],
): Promise<void> {
  const recent = await db
    .selectFrom('account_cas')
    .select('retired_at')
    .where('account_id', '=', accountId)
    .where('retired_at', '>', createdAt - DAY_MS)
    .orderBy('retired_at', 'desc')
    .limit(MAX_ROTATIONS_A_DAY)
    .execute();
  const oldest = recent[MAX_ROTATIONS_A_DAY - 1]?.retired_at ?? null;
  if (oldest === null) return;
  throw new ServiceError(
    'rate_limited',
    `Cannot rotate the certificate authority: it was rotated ${MAX_ROTATIONS_A_DAY} times within a day`,
    {
      hint: 'The current certificate authority is valid. To end certificates, revoke them.',
      extra: { retryAfterSeconds: Math.ceil((oldest + DAY_MS - createdAt) / 1000) },
    },
  );
}

/** Within the transaction of whoever makes the account, or puts it in the place of another. */
export async function insertCa(
  { db, note, sealer }: Writing,
  { ca, privateKey }: NewAccountCa,
): Promise<void> {
  const { seal } = await sealer();
  await db
    .insertInto('account_cas')
    .values({
      id: ca.id,
      account_id: ca.accountId,
      certificate: Buffer.from(ca.certificate).toString('base64'),
      private_key: seal(placeOf(ca.id, ca.accountId), privateKey),
      created_at: ca.createdAt,
      not_after: ca.notAfter,
      retired_at: null,
      crl_number: 0,
      end_noted_at: null,
    })
    .execute();
  note({ kind: 'ca', id: ca.id });
}

/**
 * One that issues nothing more is trusted until its last leaf is over, and for a while in which what it signs
 * may come in.
 */
function isTrusted(
  eb: ExpressionBuilder<Tables, 'account_cas'>,
  now: number,
  leaves: typeof ISSUED | typeof COUNTING,
): Expression<SqlBool> {
  const issued = eb
    .selectFrom('client_certificates')
    .select('client_certificates.id')
    .whereRef('client_certificates.ca_id', '=', 'account_cas.id')
    .where('client_certificates.not_after', '>', now);
  const unknown = eb
    .selectFrom('revoked_serials')
    .select('revoked_serials.id')
    .whereRef('revoked_serials.ca_id', '=', 'account_cas.id')
    .where('revoked_serials.not_after', '>', now);
  const living =
    leaves === ISSUED
      ? eb.or([eb.exists(issued), eb.exists(unknown)])
      : eb.exists(issued.where('client_certificates.revoked_at', 'is', null));
  return eb.and([
    eb('account_cas.not_after', '>', now),
    eb.or([
      eb('account_cas.retired_at', 'is', null),
      eb('account_cas.retired_at', '>', now - RETIRING_MS),
      // Before that, no leaf can be left: the bound spares looking through all of them.
      eb.and([eb('account_cas.retired_at', '>', now - MAX_VALIDITY_MS - RETIRING_MS), living]),
    ]),
  ]);
}

async function issuingOf(db: Transaction<Tables>, accountId: AccountId): Promise<AccountCa | null> {
  const row = await db
    .selectFrom('account_cas')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('retired_at', 'is', null)
    .executeTakeFirst();
  return row === undefined ? null : toCa(row);
}

function setPolicy(
  { write, locks }: Records,
  change: { accountId: AccountId; policy: CertificatePolicy; expectedVersion: number | null },
): Promise<VersionedPolicy> {
  const { accountId, policy, expectedVersion } = change;
  return write(async ({ db }) => {
    await locks.name(db, `certificate policy of ${accountId}`);
    const found = await db
      .selectFrom('certificate_policies')
      .select('version')
      .where('account_id', '=', accountId)
      .executeTakeFirst();
    const before = found?.version ?? 0;
    if (expectedVersion !== null && expectedVersion !== before)
      throw new ServiceError('precondition_failed', 'Cannot change the policy: someone else changed it');
    const version = before + 1;
    const text = JSON.stringify(policy);
    await db
      .insertInto('certificate_policies')
      .values({ account_id: accountId, policy: text, version })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet({ policy: text, version }))
      .execute();
    return { policy, version };
  });
}

type Issuing = { readonly accountId: AccountId; readonly now: number };
const issuingRow = compiledOnce(({ db }, { accountId, now }: Issuing) =>
  db
    .selectFrom('account_cas')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('not_after', '>', now)
    .where('retired_at', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id'),
);
const policyRow = compiledOnce(({ db }, { accountId }: Pick<AccountCa, 'accountId'>) =>
  db.selectFrom('certificate_policies').selectAll().where('account_id', '=', accountId),
);

function toCa(row: AccountCasTable): AccountCa {
  return {
    id: row.id as AccountCaId,
    accountId: row.account_id as AccountId,
    certificate: Buffer.from(row.certificate, 'base64'),
    createdAt: row.created_at,
    notAfter: row.not_after,
    retiredAt: row.retired_at,
  };
}

function policyOf(column: string): CertificatePolicy {
  return { ...OPEN_POLICY, ...(JSON.parse(column) as Partial<CertificatePolicy>) };
}

function placeOf(rowId: string, accountId: string): SealedPlace {
  return { table: 'account_cas', column: 'private_key', rowId, accountId };
}

/** Revoked ones, too: their revocation list is fetched until they are over. */
const ISSUED = 'issued';
/** What is revoked needs no authority at a gateway. */
const COUNTING = 'counting';
/** Longer than a redemption takes that read the authority before it was retired. */
const RETIRING_MS = 60 * 60_000;
/** One in years is the rule; the rest is for an emergency, and for trying it out. */
const MAX_ROTATIONS_A_DAY = 5;
const DAY_MS = 86_400_000;
const NEVER_SET: VersionedPolicy = { policy: OPEN_POLICY, version: 0 };
