// The suite's part on what the audit says of sessions: it is written with what it tells of, or neither is.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AuditEvent } from '../../domain/audit-event.ts';
import { newId } from '../../domain/id.ts';
import type { Store } from '../store.ts';
import type { ShareRow } from '../shares/share.ts';
import {
  type Bench,
  type OpenBench,
  START,
  addShare,
  auditEventOf,
  benchOf,
  startOf,
} from './bench.test-support.ts';

export function sessionAuditSuite(open: OpenBench): void {
  test('sessions.begin() writes its event with the session, or neither (login audit)', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const share = await addShare(store);
    const start = startOf({ share, at: START });
    const event = loginOf(share, start.session.id);
    await assert.rejects(store.sessions.begin({ ...start, event: unwritable(event) }));
    assert.equal(await store.sessions.find(start.session.id), null);
    assert.deepEqual(await eventsOf(store, share), []);
    await store.sessions.begin({ ...start, event });
    assert.deepEqual(await eventsOf(store, share), [event]);
    const loop = { ...startOf({ share, at: START }), loopLimit: 1 };
    const refused = { ...loop, event: loginOf(share, loop.session.id) };
    await assert.rejects(store.sessions.begin(refused), { code: 'login_loop' });
    assert.deepEqual(await eventsOf(store, share), [event]);
  });

  test('sessions.end() writes the event of each that it ended, and of no other, or ends none (logout audit)', async () => {
    await using bench = await benchOf(open);
    const { share, id } = await oneSession(bench);
    const { store } = bench;
    const event = auditEventOf('logout', { accountId: share.accountId, sessionId: id });
    const [stranger, at] = [newId('ses'), START + 1];
    const ending = { reason: 'logout', at };
    await assert.rejects(store.sessions.end([id], { ...ending, events: new Map([[id, unwritable(event)]]) }));
    assert.equal((await store.sessions.find(id))?.endedAt, null);
    const events = new Map([
      [id, event],
      [stranger, auditEventOf('logout', { accountId: share.accountId, sessionId: stranger })],
    ]);
    assert.deepEqual(await store.sessions.end([stranger, id], { ...ending, events }), [id]);
    assert.deepEqual(await store.sessions.end([id], { ...ending, events }), []);
    assert.deepEqual(await eventsOf(store, share), [event]);
  });

  test('sessions.checked() and endAtProvider() write their event with the change, or neither (session audit)', async () => {
    await using bench = await benchOf(open);
    const { share, id } = await oneSession(bench);
    const { store } = bench;
    const of = { accountId: share.accountId, sessionId: id };
    const [refreshed, ended] = [auditEventOf('session.refreshed', of), auditEventOf('session.ended', of)];
    const lease = await store.sessions.lease(id, 15_000);
    assert.ok(lease);
    const { checkedAt } = lease.row;
    bench.clock.time += 60_000;
    await assert.rejects(store.sessions.checked(lease, { event: unwritable(refreshed) }));
    assert.equal((await store.sessions.find(id))?.checkedAt, checkedAt);
    await store.sessions.checked(lease, { event: refreshed });
    const logout = {
      providerName: 'corp',
      providerGeneration: 'gen1',
      subject: 'subject-1',
      sid: null,
      message: { id: newId('att'), expiresAt: START + 1 },
      reason: 'backchannel_logout',
      at: START + 1,
    };
    await assert.rejects(store.sessions.endAtProvider({ ...logout, eventOf: () => unwritable(ended) }));
    assert.equal((await store.sessions.find(id))?.endedAt, null);
    // The message was not used up either.
    assert.equal((await store.sessions.endAtProvider({ ...logout, eventOf: () => ended }))?.length, 1);
    assert.deepEqual(await eventsOf(store, share), [refreshed, ended]);
  });
}

async function oneSession({ store }: Bench) {
  const share = await addShare(store);
  const start = startOf({ share, at: START });
  await store.sessions.begin(start);
  return { share, id: start.session.id };
}

function loginOf(share: ShareRow, sessionId: AuditEvent['sessionId']): AuditEvent {
  return auditEventOf('login.succeeded', { accountId: share.accountId, shareId: share.id, sessionId });
}

/** One that the database refuses. */
function unwritable(event: AuditEvent): AuditEvent {
  return { ...event, kind: null } as unknown as AuditEvent;
}

/** All of an account, oldest first. */
export async function eventsOf(store: Store, { accountId }: ShareRow): Promise<readonly AuditEvent[]> {
  const filter = {
    kinds: [],
    email: null,
    shareId: null,
    provider: null,
    actor: null,
    result: null,
    text: null,
    since: null,
    until: null,
  };
  const page = await store.audit.page({ accountId, filter, order: 'oldest', from: null, limit: 10 });
  return page.events;
}
