// The authorities of accounts and their rules. One of an account issues; those before it are trusted until the last that
// they issued is over. Their private keys are sealed, and opened for `pki/authority.ts` alone.

import type { Expression, ExpressionBuilder, SqlBool, Transaction } from 'kysely';
import { type CertificatePolicy, MAX_VALIDITY_MS, OPEN_POLICY } from '../domain/certificate.ts';
import type { AccountCaId, AccountId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { AccountCa, AccountCaTable, NewAccountCa, VersionedPolicy } from './certificate.ts';
import { inBatches } from './columns.ts';
import type { SealedPlace } from './column-seal.ts';
import type { Records, Writing } from './records.ts';
import type { AccountCasTable, Tables } from './tables.ts';

export function createAccountCaTable(records: Records): AccountCaTable {
  const { read, seal } = records;
  return {
    put: (made, first) => put(records, made, first),
    list: async (accountId, now) => {
      const rows = await read
        .selectFrom('account_cas')
        .selectAll()
        .where('account_id', '=', accountId)
        .where((eb) => isTrusted(eb, now))
        // One alone is not retired.
        .orderBy((eb) => eb('retired_at', 'is not', null))
        .orderBy('created_at', 'desc')
        .orderBy('id')
        .execute();
      return rows.map(toCa);
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
    all: async (now) => (await trusted(records, now).execute()).map(toCa),
    trustedAmong: async (ids, now) => {
      const found: AccountCa[] = [];
      for (const batch of inBatches(ids)) {
        const rows = await trusted(records, now).where('account_cas.id', 'in', batch).execute();
        found.push(...rows.map(toCa));
      }
      return found;
    },
    policy: async (accountId) => {
      const row = await read
        .selectFrom('certificate_policies')
        .selectAll()
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return row === undefined ? NEVER_SET : { policy: policyOf(row.policy), version: row.version };
    },
    setPolicy: (accountId, policy, expectedVersion) =>
      setPolicy(records, { accountId, policy, expectedVersion }),
  };
}

function trusted({ read }: Records, now: number) {
  return read
    .selectFrom('account_cas')
    .innerJoin('accounts', 'accounts.id', 'account_cas.account_id')
    .selectAll('account_cas')
    .where('accounts.suspended', '=', 0)
    .where((eb) => isTrusted(eb, now));
}

function put(
  { write, locks }: Records,
  { ca, privateKey }: NewAccountCa,
  first: boolean,
): Promise<AccountCa> {
  return write(async ({ db, note, sealer }) => {
    await locks.name(db, `authority of ${ca.accountId}`);
    const issuing = await issuingOf(db, ca.accountId);
    if (issuing !== null && first) return issuing;
    if (issuing !== null) {
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
    })
    .execute();
  note({ kind: 'ca', id: ca.id });
}

/** One that issues nothing more is trusted until its last leaf is over, and for a while in which what it signs may come in. */
function isTrusted(eb: ExpressionBuilder<Tables, 'account_cas'>, now: number): Expression<SqlBool> {
  const living = eb
    .selectFrom('client_certificates')
    .select('client_certificates.id')
    .whereRef('client_certificates.ca_id', '=', 'account_cas.id')
    .where('client_certificates.not_after', '>', now);
  return eb.and([
    eb('account_cas.not_after', '>', now),
    eb.or([
      eb('account_cas.retired_at', 'is', null),
      eb('account_cas.retired_at', '>', now - RETIRING_MS),
      // Before that, no leaf can be left: the bound spares looking through all of them.
      eb.and([eb('account_cas.retired_at', '>', now - MAX_VALIDITY_MS - RETIRING_MS), eb.exists(living)]),
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
      throw new ServiceError('precondition_failed', 'Cannot change the policy: it was changed meanwhile');
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

/** Longer than a redemption takes that read the authority before it was retired. */
const RETIRING_MS = 60 * 60_000;
const NEVER_SET: VersionedPolicy = { policy: OPEN_POLICY, version: 0 };
