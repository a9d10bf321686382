// Service tokens: only their SHA-256 is kept, so neither the file nor a backup opens a share.

import type { ActorText } from '../../domain/actor.ts';
import type { AccountId, MemberId, ServiceTokenId, ShareId } from '../../domain/id.ts';
import type { ServiceTokenUse } from '../../domain/service-token.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { inBatches, listOf, listText } from '../columns.ts';
import { loginColumns, loginIn } from '../people/login-columns.ts';
import { requireMaker } from '../people/maker.ts';
import type { Records } from '../records.ts';
import { countOf, requireRoom } from '../room.ts';
import type {
  NewServiceToken,
  ServiceTokenOfLogin,
  ServiceTokenRow,
  ServiceTokenTable,
} from './service-token.ts';
import type { ServiceTokensTable } from './tables.ts';

export function createServiceTokenTable(records: Records): ServiceTokenTable {
  const { read, write } = records;
  return {
    create: (token, by, most) => create(records, token, { by, most }),
    list: async (accountId, { after, limit }) => {
      const rows = await read
        .selectFrom('service_tokens')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('name', '>', after ?? '')
        .orderBy('name')
        .limit(limit)
        .execute();
      return rows.map(toRow);
    },
    find: async (accountId, named) => {
      const row = await read
        .selectFrom('service_tokens')
        .selectAll()
        .where('account_id', '=', accountId)
        .where(columnOf(named), '=', named)
        .executeTakeFirst();
      return row === undefined ? null : toRow(row);
    },
    remove: (accountId, named) =>
      write(async ({ db, note }) => {
        const row = await db
          .deleteFrom('service_tokens')
          .where('account_id', '=', accountId)
          .where(columnOf(named), '=', named)
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return null;
        note({ kind: 'service-token', id: row.id as ServiceTokenId });
        return toRow(row);
      }),
    seen: (uses) => seen(records, uses),
    good: async ({ now, after, limit }) => {
      const rows = await countingTokens(records, now)
        .where('id', '>', after ?? '')
        .orderBy('id')
        .limit(limit)
        .execute();
      return rows.map(toToken);
    },
    goodAmong: async (ids, now) => {
      const found: ServiceTokenOfLogin[] = [];
      for (const batch of inBatches(ids)) {
        const rows = await countingTokens(records, now).where('id', 'in', batch).execute();
        found.push(...rows.map(toToken));
      }
      return found;
    },
    idsOfMembers: async (ids) => {
      const found: ServiceTokenId[] = [];
      for (const batch of inBatches(ids)) {
        const rows = await read
          .selectFrom('service_tokens')
          .select('id')
          .where('member_id', 'in', batch)
          .execute();
        found.push(...rows.map(({ id }) => id as ServiceTokenId));
      }
      return found;
    },
    ofLogins: (providers, now) => tokensOfLogins(records, providers, now),
  };
}

/**
 * Those that have not expired, and not those of a member who is gone: a version that knows no service tokens
 * removes a member without them.
 */
function countingTokens({ read }: Records, now: number) {
  return read
    .selectFrom('service_tokens')
    .selectAll()
    .where('expires_at', '>', now)
    .where((eb) =>
      eb.or([
        eb('member_id', 'is', null),
        eb.exists(
          eb
            .selectFrom('members')
            .select('members.id')
            .whereRef('members.id', '=', 'service_tokens.member_id'),
        ),
      ]),
    );
}

/** By the accounts that had the names, as with API keys. */
async function tokensOfLogins(
  records: Records,
  providers: readonly string[] | 'all',
  now: number,
): Promise<readonly ServiceTokenOfLogin[]> {
  const logins = countingTokens(records, now).where('login_provider', 'is not', null);
  if (providers === 'all') return (await logins.execute()).map(toToken);
  const tokens: ServiceTokenOfLogin[] = [];
  for (const batch of inBatches(providers)) {
    const rows = await logins
      .where('login_provider', 'in', batch)
      .where('account_id', 'in', (eb) =>
        eb.selectFrom('provider_names').select('account_id').where('name', 'in', batch),
      )
      .execute();
    tokens.push(...rows.map(toToken));
  }
  return tokens;
}

/** No name holds an underscore, so the two cannot be mixed up. */
function columnOf(named: string): 'id' | 'name' {
  return named.startsWith('tok_') ? 'id' : 'name';
}

type Making = { readonly by: Parameters<ServiceTokenTable['create']>[1]; readonly most: number | undefined };

function create(records: Records, token: NewServiceToken, { by, most }: Making): Promise<void> {
  return records.write(async ({ db, note }) => {
    const { accountId } = token;
    const count = () => countOf(db, 'service_tokens', accountId);
    await requireRoom(records.locks, db, { accountId, key: 'service_tokens', most, count });
    if (by !== null)
      await requireMaker(records, db, {
        ...token,
        keyId: by.keyId,
        sessionHash: by.sessionHash,
        made: 'token',
      });
    const inserted = await db
      .insertInto('service_tokens')
      .values({
        id: token.id,
        account_id: accountId,
        name: token.name,
        hash: token.hash,
        start: token.start ?? null,
        share_ids: listText(token.shareIds),
        created_at: token.createdAt,
        expires_at: token.expiresAt,
        created_by: token.createdBy,
        last_used_at: null,
        member_id: token.memberId,
        ...loginColumns(token.login),
      })
      .onConflict((conflict) => conflict.columns(['account_id', 'name']).doNothing())
      .executeTakeFirst();
    if (inserted.numInsertedOrUpdatedRows !== 1n)
      throw new ServiceError('name_taken', `Cannot create token ${token.name}: there is one of that name`, {
        hint: 'Choose another name, or delete that token.',
      });
    note({ kind: 'service-token', id: token.id });
  });
}

async function seen({ write }: Records, uses: readonly ServiceTokenUse[]): Promise<void> {
  if (uses.length === 0) return;
  // In one order, so that two gateways never wait for each other in a circle.
  const ordered = uses.toSorted((a, b) => (a.id < b.id ? -1 : 1));
  await write(async ({ db }) => {
    for (const { id, at } of ordered)
      await db
        .updateTable('service_tokens')
        .set({ last_used_at: at })
        .where('id', '=', id)
        .where((eb) => eb.or([eb('last_used_at', 'is', null), eb('last_used_at', '<=', at - SEEN_STEP_MS)]))
        .execute();
  });
}

function toToken(row: ServiceTokensTable): ServiceTokenOfLogin {
  return {
    id: row.id as ServiceTokenId,
    accountId: row.account_id as AccountId,
    name: row.name,
    hash: row.hash,
    shareIds: listOf(row.share_ids) as readonly ShareId[],
    expiresAt: row.expires_at,
    login: loginIn(row),
  };
}

function toRow(row: ServiceTokensTable): ServiceTokenRow {
  const { hash: _hash, ...token } = toToken(row);
  return {
    ...token,
    start: row.start,
    createdAt: row.created_at,
    createdBy: row.created_by as ActorText,
    memberId: row.member_id as MemberId | null,
    lastUsedAt: row.last_used_at,
  };
}

/** "Last used" is shown to the minute. */
const SEEN_STEP_MS = 60_000;
