// Members of accounts and their invitations. Changes of an account's members go one after the other, so that
// two admins who delete each other leave one of them.

import { comparableAddress } from '../../domain/email-address.ts';
import type { Transaction } from 'kysely';
import { sql } from 'kysely';
import type { AccountId, ApiKeyId, InvitationId, MemberId, ServiceTokenId } from '../../domain/id.ts';
import { newId } from '../../domain/id.ts';
import { MEMBER_ORDERS, type MemberOrder } from '../../domain/list-orders.ts';
import type { MemberLogin } from '../../domain/member-match.ts';
import type { Role } from '../../domain/role.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { MemberJudge, MemberRow, MemberTable, NewInvitation, OpenInvitation } from './people.ts';
import { inBatches } from '../columns.ts';
import type { Records, Writing } from '../records.ts';
import { countOf, requireRoom } from '../room.ts';
import {
  countUpTo,
  numberColumn,
  numberColumnOr,
  orderedBy,
  pageInOrder,
  type SortColumns,
  textColumn,
} from '../sorting.ts';
import type { Tables } from '../tables.ts';
import type { MembersTable } from './tables.ts';

export function createMemberTable(records: Records): MemberTable {
  return {
    invite: (member, invitation, most) => inviteMember(records, member, { invitation, most }),
    inviteAgain: (accountId, id, invitation, judge) =>
      changeMember(records, { accountId, id }, ({ db }, member) => {
        judge?.(member);
        return replaceInvitation(db, member, invitation);
      }),
    find: async (accountId, named) => {
      const members = membersOf(records.read, accountId);
      // Every address holds an `@`, and no id does.
      const row = await (
        named.includes('@')
          ? members.where(sql`lower(member.email)`, '=', comparableAddress(named))
          : members.where('member.id', '=', named)
      ).executeTakeFirst();
      return row === undefined ? null : toMember(row);
    },
    list: async (accountId, page) => {
      const ordered = orderedBy(MEMBER_ORDERS, ORDERS, page);
      const { rows, next } = await pageInOrder(membersOf(records.read, accountId), ordered, page);
      return { rows: rows.map(toMember), next };
    },
    count: (accountId, most) =>
      countUpTo(records.read, records.read.selectFrom('members').where('account_id', '=', accountId), most),
    among: async (accountId, addresses) => {
      const found: string[] = [];
      for (const batch of inBatches(addresses)) {
        const rows = await records.read
          .selectFrom('members')
          .select('email')
          .where('account_id', '=', accountId)
          .where(sql<string>`lower(email)`, 'in', batch)
          .execute();
        found.push(...rows.map(({ email }) => comparableAddress(email)));
      }
      return found;
    },
    changeRole: (accountId, id, role, judge) =>
      changeMember(records, { accountId, id }, async (writing, member) => {
        judge?.(member);
        const { db } = writing;
        if (member.role === 'admin' && role !== 'admin') await requireOtherAdmin(records, db, member);
        await db.updateTable('members').set({ role }).where('id', '=', id).execute();
        if (role === 'auditor' && member.role !== 'auditor') await endTunnels(writing, id);
      }),
    remove: (accountId, id, judge) => removeMember(records, { accountId, id }, judge),
    findInvitation: (hash) => findInvitation(records, hash),
  };
}

/** The admin that an account is made with. */
export async function insertAdmin(
  db: Transaction<Tables>,
  admin: { readonly accountId: AccountId; readonly email: string; readonly createdAt: number },
): Promise<MemberId> {
  const id: MemberId = newId('mem');
  await insertMember(db, { ...admin, id, role: 'admin', by: null });
  return id;
}

/** A member's columns with the end of the open invitation. */
export function membersOf(db: Records['read'], accountId: AccountId) {
  return membersWithInvitation(db).where('member.account_id', '=', accountId);
}

export function membersWithInvitation(db: Records['read']) {
  return db
    .selectFrom('members as member')
    .leftJoin('invitations as invitation', 'invitation.member_id', 'member.id')
    .selectAll('member')
    .select('invitation.expires_at as invited_until');
}

export function toMember(row: MembersTable & { readonly invited_until: number | null }): MemberRow {
  return {
    id: row.id as MemberId,
    accountId: row.account_id as AccountId,
    email: row.email,
    role: row.role as Role,
    login: loginOf(row),
    createdAt: row.created_at,
    acceptedAt: row.accepted_at,
    lastLoginAt: row.last_login_at,
    invitedUntil: row.invited_until,
  };
}

/** The three come and go together. */
export function loginOf({
  provider,
  provider_generation: generation,
  subject,
}: Pick<MembersTable, 'provider' | 'provider_generation' | 'subject'>): MemberLogin | null {
  return provider === null || generation === null || subject === null
    ? null
    : { provider, generation, subject };
}

function inviteMember(
  { write, locks }: Records,
  member: Parameters<MemberTable['invite']>[0],
  { invitation, most }: { readonly invitation: NewInvitation; readonly most: number | undefined },
): Promise<void> {
  return write(async ({ db }) => {
    const { accountId } = member;
    const count = () => countOf(db, 'members', accountId);
    await requireRoom(locks, db, { accountId, key: 'members', most, count });
    await locks.name(db, membersLock(member.accountId));
    const known = await db
      .selectFrom('members')
      .select('id')
      .where('account_id', '=', member.accountId)
      .where(sql`lower(email)`, '=', comparableAddress(member.email))
      .executeTakeFirst();
    if (known !== undefined)
      throw new ServiceError(
        'member_exists',
        `Cannot invite ${member.email}: this person is already a member`,
        {
          hint: 'To create a new invitation, run doorward member invite.',
        },
      );
    await insertMember(db, member);
    await replaceInvitation(db, member, invitation);
  });
}

async function insertMember(
  db: Transaction<Tables>,
  member: Pick<MemberRow, 'id' | 'accountId' | 'email' | 'role' | 'createdAt'> & {
    readonly by: string | null;
  },
): Promise<void> {
  const { id, email, role } = member;
  await db
    .insertInto('members')
    .values({
      id,
      account_id: member.accountId,
      email,
      role,
      created_at: member.createdAt,
      provider: null,
      provider_generation: null,
      subject: null,
      invited_by: member.by,
      accepted_at: null,
      last_login_at: null,
    })
    .execute();
}

async function replaceInvitation(
  db: Transaction<Tables>,
  member: Pick<MemberRow, 'id' | 'accountId'>,
  invitation: NewInvitation,
): Promise<void> {
  await db.deleteFrom('invitations').where('member_id', '=', member.id).execute();
  await db
    .insertInto('invitations')
    .values({
      id: invitation.id,
      account_id: member.accountId,
      member_id: member.id,
      hash: invitation.hash,
      created_at: invitation.createdAt,
      expires_at: invitation.expiresAt,
    })
    .execute();
}

type Named = { readonly accountId: AccountId; readonly id: MemberId };

/** The member after `change`; null when there is none. */
function changeMember(
  records: Records,
  named: Named,
  change: (writing: Writing, member: MemberRow) => Promise<void>,
): Promise<MemberRow | null> {
  return records.write(async (writing) => {
    const before = await holdMember(records, writing.db, named);
    if (before === null) return null;
    await change(writing, before);
    return readMember(writing.db, named);
  });
}

/** Those of their keys, and of certificates that they allowed. */
async function endTunnels({ db, note }: Writing, id: MemberId): Promise<void> {
  const keys = await db.selectFrom('api_keys').select('id').where('member_id', '=', id).execute();
  for (const key of keys) note({ kind: 'api-key', id: key.id as ApiKeyId });
  note({ kind: 'member', id });
}

export async function removeMember(records: Records, named: Named, judge?: MemberJudge): Promise<boolean> {
  return records.write(async ({ db, note }) => {
    const member = await holdMember(records, db, named);
    if (member === null) return false;
    judge?.(member);
    if (member.role === 'admin') await requireOtherAdmin(records, db, member);
    const keys = await db.deleteFrom('api_keys').where('member_id', '=', member.id).returning('id').execute();
    for (const key of keys) note({ kind: 'api-key', id: key.id as ApiKeyId });
    const tokens = await db
      .deleteFrom('service_tokens')
      .where('member_id', '=', member.id)
      .returning('id')
      .execute();
    for (const token of tokens) note({ kind: 'service-token', id: token.id as ServiceTokenId });
    for (const table of ['invitations', 'console_sessions'] as const)
      await db.deleteFrom(table).where('member_id', '=', member.id).execute();
    await db.deleteFrom('members').where('id', '=', member.id).execute();
    note({ kind: 'member', id: member.id });
    return true;
  });
}

/** The member, and no other change of the account's members until the transaction ends. */
export async function holdMember(
  { locks }: Records,
  db: Transaction<Tables>,
  named: Named,
): Promise<MemberRow | null> {
  await locks.name(db, membersLock(named.accountId));
  await db.selectFrom('members').select('id').where('id', '=', named.id).modifyEnd(locks.changing).execute();
  return readMember(db, named);
}

async function readMember(db: Transaction<Tables>, { accountId, id }: Named): Promise<MemberRow | null> {
  const row = await membersOf(db, accountId).where('member.id', '=', id).executeTakeFirst();
  return row === undefined ? null : toMember(row);
}

/**
 * Another admin who can act: one that has logged in, or holds a key that may do everything. An invitation may
 * never be accepted.
 */
async function requireOtherAdmin(
  { clock }: Records,
  db: Transaction<Tables>,
  member: MemberRow,
): Promise<void> {
  const other = await db
    .selectFrom('members as other')
    .select('other.id')
    .where('other.account_id', '=', member.accountId)
    .where('other.id', '!=', member.id)
    .where('other.role', '=', 'admin')
    .where((eb) =>
      eb.or([
        eb('other.accepted_at', 'is not', null),
        eb.exists(
          eb
            .selectFrom('api_keys as key')
            .select('key.id')
            .whereRef('key.member_id', '=', 'other.id')
            .where('key.role', '=', 'admin')
            .where('key.scope', '=', 'full')
            .where((key) => key.or([key('key.expires_at', 'is', null), key('key.expires_at', '>', clock())])),
        ),
      ]),
    )
    .executeTakeFirst();
  if (other === undefined)
    throw new ServiceError(
      'last_admin',
      `Cannot remove ${member.email}: the account would have no active admin`,
      { hint: 'Make another member an admin, and have them log in once.' },
    );
}

async function findInvitation({ read, clock }: Records, hash: string): Promise<OpenInvitation | null> {
  const row = await read
    .selectFrom('invitations as invitation')
    .innerJoin('accounts as account', 'account.id', 'invitation.account_id')
    .select(['invitation.id', 'invitation.member_id', 'invitation.account_id'])
    .where('invitation.hash', '=', hash)
    .where('invitation.expires_at', '>', clock())
    .where('account.suspended', '=', 0)
    .executeTakeFirst();
  if (row === undefined) return null;
  return {
    id: row.id as InvitationId,
    memberId: row.member_id as MemberId,
    accountId: row.account_id as AccountId,
  };
}

export function membersLock(accountId: AccountId): string {
  return `members ${accountId}`;
}

const ID = textColumn('member.id');
const ORDERS: Readonly<Record<MemberOrder, SortColumns>> = {
  email: [{ sql: sql<string>`lower(member.email)`, is: 'text' }, ID],
  created: [numberColumn('member.created_at'), ID],
  last_login: [numberColumnOr('member.last_login_at', 0), ID],
};
