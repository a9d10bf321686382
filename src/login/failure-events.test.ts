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
