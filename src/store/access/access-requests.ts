// Requests for access: one row of a share, a provider and an address, whatever becomes of it.

import type { Transaction } from 'kysely';
import { ACCESS_REQUEST_STATES, type AccessRequestState } from '../../domain/access-request-state.ts';
import {
  type AccessRequest,
  DISMISSED_MS,
  MOST_OPEN_OF_ACCOUNT,
  MOST_OPEN_OF_SHARE,
} from '../../domain/access-request.ts';
import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AccessRequestId, AccountId, ShareId } from '../../domain/id.ts';
import { appendEvents } from '../audit/audit.ts';
import type { Records } from '../records.ts';
import type { Tables } from '../tables.ts';
import type { AccessRequestTable, Asked, NewAccessRequest } from './access-request.ts';
import type { AccessRequestsTable } from './tables.ts';

export function createAccessRequestTable(records: Records): AccessRequestTable {
  const { read, write, locks } = records;
  return {
    ask: (request, event) => ask(records, request, event),
    list: async ({ accountId, shareId, state, after, limit }) => {
      const rows = await read
        .selectFrom('access_requests')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('state', '=', state)
        .$if(shareId !== null, (select) => select.where('share_id', '=', shareId ?? ''))
        .$if(after !== null, (select) =>
          select.where((eb) =>
            eb.or([
              eb('first_asked_at', '<', after?.firstAskedAt ?? 0),
              eb.and([eb('first_asked_at', '=', after?.firstAskedAt ?? 0), eb('id', '<', after?.id ?? '')]),
            ]),
          ),
        )
        .orderBy('first_asked_at', 'desc')
        .orderBy('id', 'desc')
        .limit(limit)
        .execute();
      return rows.map(toRequest);
    },
    find: async (accountId, id) => {
      const row = await read
        .selectFrom('access_requests')
        .selectAll()
        .where('account_id', '=', accountId)
        .where('id', '=', id)
        .executeTakeFirst();
      return row === undefined ? null : toRequest(row);
    },
    decide: ({ accountId, id, state, at, grantedUntil }) =>
      write(async ({ db }) => {
        const row = await db
          .selectFrom('access_requests')
          .selectAll()
          .where('account_id', '=', accountId)
          .where('id', '=', id)
          .modifyEnd(locks.changing)
          .executeTakeFirst();
        if (row === undefined || row.state !== 'open') return null;
        const decided = { state, decided_at: at, granted_until: grantedUntil };
        await db.updateTable('access_requests').set(decided).where('id', '=', id).execute();
        return toRequest({ ...row, ...decided });
      }),
  };
}

/** Those who ask in one account wait for each other, so that none is one too many. */
function ask(records: Records, request: NewAccessRequest, event: AuditEvent): Promise<Asked> {
  return records.write(async ({ db }) => {
    await records.locks.name(db, `access requests of ${request.accountId}`);
    const row = await db
      .selectFrom('access_requests')
      .selectAll()
      .where('share_id', '=', request.shareId)
      .where('provider', '=', request.provider)
      .where('email', '=', request.email)
      .modifyEnd(records.locks.changing)
      .executeTakeFirst();
    const known = row === undefined ? null : toRequest(row);
    const standing = known === null ? null : standingOf(known, request);
    if (standing === 'waiting')
      await db
        .updateTable('access_requests')
        .set({ message: request.message, last_asked_at: request.at })
        .where('id', '=', known?.id ?? '')
        .execute();
    if (standing !== null) return standing;
    if (await isFull(db, request)) return 'full';
    await db
      .deleteFrom('access_requests')
      .where('id', '=', known?.id ?? '')
      .execute();
    await db.insertInto('access_requests').values(fromNew(request)).execute();
    await appendEvents(records, db, [event]);
    return 'asked';
  });
}

/** Null where it is over: somebody asks anew. */
function standingOf(
  { state, decidedAt, grantedUntil, providerGeneration }: AccessRequest,
  request: NewAccessRequest,
): Exclude<Asked, 'asked' | 'full'> | null {
  if (providerGeneration !== request.providerGeneration) return null;
  if (state === 'open') return 'waiting';
  if (state === 'granted') return request.isLetIn && (grantedUntil ?? 0) > request.at ? 'granted' : null;
  return (decidedAt ?? 0) + DISMISSED_MS > request.at ? 'dismissed' : null;
}

async function isFull(
  db: Transaction<Tables>,
  { accountId, shareId }: Pick<AccessRequest, 'accountId' | 'shareId'>,
): Promise<boolean> {
  const open = db
    .selectFrom('access_requests')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('account_id', '=', accountId)
    .where('state', '=', 'open');
  const ofAccount = await open.executeTakeFirstOrThrow();
  const ofShare = await open.where('share_id', '=', shareId).executeTakeFirstOrThrow();
  return Number(ofAccount.count) >= MOST_OPEN_OF_ACCOUNT || Number(ofShare.count) >= MOST_OPEN_OF_SHARE;
}

function fromNew({ at, ...request }: NewAccessRequest): AccessRequestsTable {
  return {
    id: request.id,
    account_id: request.accountId,
    share_id: request.shareId,
    provider: request.provider,
    provider_generation: request.providerGeneration,
    email: request.email,
    message: request.message,
    first_asked_at: at,
    last_asked_at: at,
    state: 'open' satisfies AccessRequestState,
    decided_at: null,
    granted_until: null,
  };
}

export function toRequest(row: AccessRequestsTable): AccessRequest {
  return {
    id: row.id as AccessRequestId,
    accountId: row.account_id as AccountId,
    shareId: row.share_id as ShareId,
    provider: row.provider,
    providerGeneration: row.provider_generation,
    email: row.email,
    message: row.message,
    firstAskedAt: row.first_asked_at,
    lastAskedAt: row.last_asked_at,
    // What a later version calls by another name is decided there.
    state: ACCESS_REQUEST_STATES.find((state) => state === row.state) ?? 'dismissed',
    decidedAt: row.decided_at,
    grantedUntil: row.granted_until,
  };
}
