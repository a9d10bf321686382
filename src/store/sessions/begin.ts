// The callback's transaction: the new session in, the replaced one out unless the new one is still to be
// confirmed, nothing when the browser logs in round and round. Parallel callbacks of one browser each see the
// sessions of those before.

import { sql, type Transaction } from 'kysely';
import { LOGGED_OUT } from '../../domain/end-reason.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { SessionTable } from './session-table.ts';
import { appendEvents } from '../audit/audit.ts';
import { holdAccess, loginName, requireAccessSince } from '../people/access-endings.ts';
import type { Sealer } from '../sealing/column-seal.ts';
import { flag } from '../columns.ts';
import type { Locks } from '../engine.ts';
import type { Records } from '../records.ts';
import { recentSessions } from './recent.ts';
import { endNamed, endReplaced } from './replaced.ts';
import { factsText, sealTokens, toSession } from './row.ts';
import type { Tables } from '../tables.ts';
import type { SessionsTable } from './tables.ts';

type Start = Parameters<SessionTable['begin']>[0];

export function beginSession(records: Records, start: Start): ReturnType<SessionTable['begin']> {
  const { write, clock, locks } = records;
  const { confirmWithinMs, former } = start;
  const calledAt = performance.now();
  return write(async (writing) => {
    const { db } = writing;
    // Counting, replacing and collecting are of one browser: its callbacks go one after the other.
    await locks.name(db, `browser ${start.session.browserHash}`);
    await requireNotEnded(records, db, { start, calledAt });
    await requireShare(db, start.session, locks);
    await refuseLoop(db, start);
    const columns = columnsOf(await writing.sealer(), start);
    const replacing = { session: columns, setOutAt: start.loopUntil, at: columns.created_at };
    const ended = confirmWithinMs === null ? await endReplaced(writing, replacing) : [];
    const confirmBy = confirmWithinMs === null ? null : sql<number>`${clock()} + ${sql.lit(confirmWithinMs)}`;
    await db
      .insertInto('sessions')
      .values({ ...columns, confirm_by: confirmBy })
      .execute();
    const known = await recentSessions(db, {
      browserHash: start.session.browserHash,
      since: start.recentSince,
      now: start.session.createdAt,
    });
    const others = known.filter(({ id }) => id !== start.session.id);
    const kept = new Set(others.map(({ id }) => id));
    const named = confirmWithinMs === null ? former.filter((id) => !kept.has(id)) : [];
    const endedToo = await endNamed(writing, named, { ...replacing, butOfBrowser: null });
    // After every row that others may wait for, since the audit is written by one at a time.
    if (start.event !== null) await appendEvents(records, db, [start.event]);
    return { recent: [toSession(columns), ...others], ended: [...ended, ...endedToo] };
  });
}

/**
 * A login that had set out when somebody ended all access of its person begins nothing: by its address, by
 * that of the member whose login it is, and by the login itself, whose member may be gone by now.
 */
async function requireNotEnded(
  records: Records,
  db: Transaction<Tables>,
  { start, calledAt }: { readonly start: Start; readonly calledAt: number },
): Promise<void> {
  const { accountId, email, createdAt, providerName, providerGeneration, subject } = start.session;
  await holdAccess(records, db, { accountId, email });
  const member = await memberOf(db, start.session, records.locks);
  const login = { provider: providerName, generation: providerGeneration, subject };
  const names = [...(member === undefined ? [] : [member.email]), loginName(login)];
  const ageMs = createdAt - start.loopUntil;
  await requireAccessSince(records, db, { accountId, email, names, ageMs, calledAt });
}

/** Whoever ends the member's access at this moment holds the row, and is done when this has it. */
function memberOf(
  db: Transaction<Tables>,
  { accountId, providerName, providerGeneration, subject }: Start['session'],
  locks: Locks,
): Promise<{ readonly email: string } | undefined> {
  return db
    .selectFrom('members')
    .select('email')
    .where('provider', '=', providerName)
    .where('provider_generation', '=', providerGeneration)
    .where('subject', '=', subject)
    .where('account_id', '=', accountId)
    .modifyEnd(locks.unchanged)
    .executeTakeFirst();
}

/** A share that went away while the visitor was at the provider gets no session that would outlive it. */
async function requireShare(db: Transaction<Tables>, session: Start['session'], locks: Locks): Promise<void> {
  const share = await db
    .selectFrom('shares as share')
    .innerJoin('accounts as account', 'account.id', 'share.account_id')
    .select('share.id')
    .where('share.id', '=', session.shareId)
    .where('share.account_id', '=', session.accountId)
    .where('account.suspended', '=', 0)
    .modifyEnd(locks.unchanged)
    .executeTakeFirst();
  if (share === undefined)
    throw new ServiceError(
      'share_unknown',
      `Cannot begin a session: share ${session.shareId} does not exist`,
      {
        hint: 'Ask the person who sent you the address.',
      },
    );
}

async function refuseLoop(db: Transaction<Tables>, start: Start): Promise<void> {
  const { session, loopSince, loopUntil, loopLimit } = start;
  const { began } = await db
    .selectFrom('sessions')
    .select((eb) => eb.fn.countAll<number>().as('began'))
    .where('browser_hash', '=', session.browserHash)
    .where('share_id', '=', session.shareId)
    .where('created_at', '>=', loopSince)
    .where('created_at', '<=', loopUntil)
    // One that opened something, or that somebody logged out of, was no round of it.
    .whereRef('last_seen_at', '<=', 'created_at')
    .where((eb) => eb.or([eb('end_reason', 'is', null), eb('end_reason', '!=', LOGGED_OUT)]))
    .executeTakeFirstOrThrow();
  if (began >= loopLimit)
    throw new ServiceError(
      'login_loop',
      `Cannot begin a session: this browser just began ${began} sessions for the same share and used none`,
      { hint: 'The browser may block cookies. Allow them, wait a moment, and open the share again.' },
    );
}

function columnsOf(
  sealer: Sealer,
  { session, tokens, emailVerified, facts }: Start,
): Omit<SessionsTable, 'confirm_by'> {
  return {
    id: session.id,
    share_id: session.shareId,
    account_id: session.accountId,
    provider_name: session.providerName,
    provider_generation: session.providerGeneration,
    subject: session.subject,
    email: session.email,
    browser_hash: session.browserHash,
    binding_hash: session.bindingHash,
    created_at: session.createdAt,
    expires_at: session.expiresAt,
    checked_at: session.checkedAt,
    ended_at: null,
    end_reason: null,
    last_seen_at: session.lastSeenAt,
    ip: session.ip,
    tokens: sealTokens(sealer, session, tokens),
    refreshable: flag(tokens.refreshToken !== null),
    fence: 0,
    leased_until: null,
    provider_sid: session.providerSid,
    user_agent: session.userAgent,
    email_verified: flag(emailVerified),
    facts: facts === undefined ? null : factsText(facts),
    revoke_at: session.expiresAt,
  };
}
