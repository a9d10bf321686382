import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLoginRig, logIn } from '../../test/support/login-rig.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import { newId } from '../domain/id.ts';
import { parseCookies } from '../http/cookies.ts';
import { browserHash } from '../login/browser-cookie.ts';
import { claimAll } from '../store/suite/bench.test-support.ts';
import { confirmSession, endUnconfirmed } from './confirmation.ts';

test('endUnconfirmed() ends what nobody confirmed within a minute, revokes its tokens and tells of it (A session counts in the browser that logged in)', async () => {
  await using rig = await createLoginRig();
  const share = await rig.addShare();
  const browser = rig.browser();
  await logIn(browser, rig.startUrl(share, { bindingHash: 'A'.repeat(22) }), 'a@example.com');
  const cookies = parseCookies(browser.jar.header(rig.deps.oauth.endpointUrl) ?? undefined);
  const rows = await rig.store.sessions.ofBrowser(browserHash(rig.deps.oauth, cookies) ?? '', 'corp');
  const [id] = rows.map(({ row }) => row.id);
  const events: AuditEvent[] = [];
  let told = 0;
  const deps = {
    sessions: rig.store.sessions,
    tokensOwed: () => void told++,
    audited: (each: readonly AuditEvent[]) => events.push(...each),
    now: () => rig.clock.now,
    log: { warn: () => undefined },
  };
  rig.clock.now += 59_999;
  await endUnconfirmed(deps);
  assert.deepEqual(events, []);
  rig.clock.now += 1;
  await Promise.all([endUnconfirmed(deps), endUnconfirmed(deps)]);
  assert.deepEqual(
    events.map(({ kind, sessionId, shareId, email, reason }) => [kind, sessionId, shareId, email, reason]),
    [['session.ended', id, share.id, 'a@example.com', 'not_confirmed']],
  );
  assert.equal(told, 1);
  const owed = await claimAll(rig.store);
  assert.deepEqual(
    owed.map(({ tokens }) => tokens?.accessToken.reveal()),
    ['access 1 a@example.com'],
  );
  assert.equal((await rig.store.sessions.state(id!))?.ended, true);
});

test('endUnconfirmed() tries again while the store is away; confirmSession() says so', async () => {
  const warned: unknown[] = [];
  await endUnconfirmed({
    sessions: { endUnconfirmed: away },
    tokensOwed: () => assert.fail(),
    audited: () => assert.fail(),
    now: () => 0,
    log: { warn: (...said) => warned.push(said) },
  });
  assert.equal(warned.length, 1);
  const question = {
    ask: 'confirm',
    sessionId: newId('ses'),
    shareId: newId('shr'),
    bindingHash: 'A'.repeat(22),
    setOutAt: 0,
    former: [],
  } as const;
  assert.deepEqual(await confirmSession({ confirm: away }, question, 0), { kind: 'unavailable' });
});

async function away(): Promise<never> {
  throw new Error('away');
}
