import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type AuditEvent, auditEvent } from '../domain/audit-event.ts';
import { newId } from '../domain/id.ts';
import { createFailureEvents } from './failure-events.ts';

test('createFailureEvents() says how many failures were left out and where, and nothing of whoever was last', (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told: AuditEvent[] = [];
  const auditFailure = createFailureEvents(
    (event) => told.push(event),
    () => 0,
  );
  const [accountId, shareId] = [newId('acc'), newId('shr')];
  for (let stranger = 0; stranger < 21; stranger++)
    auditFailure(
      auditEvent({
        kind: 'login.refused',
        at: stranger,
        accountId,
        shareId,
        sessionId: newId('ses'),
        provider: 'corp',
        email: 'ann@example.com',
        actor: { kind: 'unverified', email: 'ann@example.com' },
        ip: '192.0.2.1',
        requestId: 'req_1',
        reason: 'email_unverified',
      }),
    );
  assert.equal(told.length, 20);
  t.mock.timers.tick(60_000);
  const { id: _id, ...omitted } = told[20] ?? assert.fail('nothing is told of those left out');
  assert.deepEqual(omitted, {
    kind: 'refusals.omitted',
    at: 20,
    accountId,
    shareId,
    provider: 'corp',
    sessionId: null,
    email: null,
    actor: null,
    ip: null,
    requestId: null,
    reason: '1 refusal',
  });
});

test('createFailureEvents() tells of those whom a provider vouches for, of those whom it does not and of nobody apart', () => {
  const { auditFailure, told } = rig();
  const failure = { at: 0, shareId: newId('shr'), provider: 'corp' };
  const of = (stranger: number) => ({ ...failure, ip: `198.51.100.${stranger}` });
  for (let stranger = 0; stranger < 120; stranger++) {
    auditFailure(auditEvent({ ...of(stranger), kind: 'login.failed', reason: 'state_replayed' }));
    auditFailure(auditEvent({ ...of(stranger), kind: 'login.refused', reason: 'access_denied' }));
  }
  assert.equal(told.length, 100);
  const actor = { kind: 'unverified', email: 'eve@example.com' } as const;
  for (let stranger = 0; stranger < 120; stranger++)
    auditFailure(auditEvent({ ...of(stranger), kind: 'login.refused', actor }));
  assert.equal(told.length, 200);
  auditFailure(auditEvent({ ...of(1), kind: 'login.refused', email: 'ann@example.com' }));
  assert.equal(told.at(-1)?.email, 'ann@example.com');
});

test('createFailureEvents() leaves most of a share’s budget to others than one /48 of IPv6', () => {
  const { auditFailure, told } = rig();
  const failure = { kind: 'login.failed', at: 0, shareId: newId('shr'), provider: 'corp' } as const;
  for (let site = 0; site < 200; site++)
    auditFailure(auditEvent({ ...failure, ip: `2001:db8:0:${site}::1` }));
  assert.equal(told.length, 40);
  auditFailure(auditEvent({ ...failure, ip: '2001:db8:1::1' }));
  assert.equal(told.length, 41);
});

function rig() {
  const told: AuditEvent[] = [];
  const auditFailure = createFailureEvents(
    (event) => told.push(event),
    () => 0,
  );
  return { auditFailure, told };
}
