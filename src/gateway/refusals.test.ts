import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { AuditEvent } from '../domain/audit-event.ts';
import { newId, type AccountId, type ShareId } from '../domain/id.ts';
import { createRefusals } from './refusals.ts';

const MINUTE = 60_000;

test('note() keeps refusals at one share however many there are at others', () => {
  const { note, take } = createRefusals();
  for (let share = 0; share < 50; share++) {
    const flooded = newId('shr');
    for (let index = 0; index < 200; index++) note(refusal(flooded, `2001:db8:${share}:${index}::1`));
  }
  const quiet = newId('shr');
  note(refusal(quiet, '192.0.2.1'));
  const taken = take(false);
  assert.equal(taken.filter(({ shareId }) => shareId === quiet).length, 1);
  assert.ok(taken.length <= 1_050, `${taken.length} at once`);
});

test('note() counts addresses of one /64, and of no more, as one visitor without a session', () => {
  const { note, take } = createRefusals();
  const share = newId('shr');
  for (let index = 0; index < 1_000; index++) note(refusal(share, `2001:db8::${index.toString(16)}`));
  note(refusal(share, '2001:db8:0:1::1'));
  note(refusal(share, '::ffff:192.0.2.1'));
  note(refusal(share, '192.0.2.1'));
  assert.deepEqual(
    take(true).map(({ ip }) => ip),
    ['2001:db8::0', '2001:db8:0:1::1', '::ffff:192.0.2.1'],
  );
});

test('note() leaves the rest of a share to others when one /48 of IPv6 brings site after site', () => {
  const { note, take } = createRefusals();
  const share = newId('shr');
  for (let site = 0; site < 500; site++) note(refusal(share, `2001:db8:0:${site.toString(16)}::1`));
  note(refusal(share, '2001:db8:1::1'));
  const taken = take(false);
  assert.equal(taken.length, 41);
  assert.equal(taken.at(-1)?.ip, '2001:db8:1::1');
});

test('note() leaves the rest of a share to other networks when one brings session after session', () => {
  const { note, take } = createRefusals();
  const share = newId('shr');
  for (let index = 0; index < 500; index++) note(refusal(share, '192.0.2.1', true));
  note(refusal(share, '192.0.2.2', true));
  const taken = take(false);
  assert.equal(taken.length, 21);
  assert.equal(taken.at(-1)?.ip, '192.0.2.2');
});

test('take() tells a minute later how many were left out at a share, and then of those since', (t) => {
  const { note, take, owes } = createRefusals();
  const share = newId('shr');
  for (let index = 0; index < 150; index++) note(refusal(share, `192.0.2.${index}`));
  const omitted = () => take(false).filter(({ kind }) => kind === 'refusals.omitted');
  assert.deepEqual(omitted(), []);
  assert.equal(owes(), true);
  later(t, MINUTE);
  const [event, ...none] = omitted();
  assert.deepEqual(none, []);
  assert.deepEqual([event?.shareId, event?.reason, event?.accountId], [share, '50 refusals', ACCOUNT]);
  assert.equal(owes(), false);
  for (let index = 0; index < 11; index++) note(refusal(share, `198.51.100.${index}`));
  assert.equal(take(true).at(-1)?.reason, '1 refusal', 'ten came back in the minute');
});

function later(t: TestContext, passed: number): void {
  const steady = performance.now.bind(performance);
  t.mock.method(performance, 'now', () => steady() + passed);
}

function refusal(shareId: ShareId, ip: string, inSession = false): AuditEvent {
  return {
    id: newId('evt'),
    at: Date.now(),
    kind: 'login.refused',
    accountId: ACCOUNT,
    shareId,
    sessionId: inSession ? newId('ses') : null,
    provider: 'corp',
    email: 'ada@example.com',
    actor: null,
    ip,
    requestId: 'r',
    reason: 'email_refused',
  };
}

const ACCOUNT: AccountId = newId('acc');
