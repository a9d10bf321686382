import assert from 'node:assert/strict';
import { test } from 'node:test';
import { onEngines } from '../../test/support/on-engines.ts';
import type { AuditEvent } from '../domain/audit-event.ts';
import { newId } from '../domain/id.ts';
import { addCa, certificateOf, issue } from '../store/suite/certificates.test-support.ts';
import { nameCertificates } from './certificate-names.ts';

onEngines('nameCertificates()', ({ openStore }) => {
  test('names each certificate that the store knows by its id, for its own account, and others by their serial', async () => {
    await using store = await openStore();
    const [here, there] = [await addCa(store), await addCa(store)];
    const mine = await issue(store, certificateOf(here.accountId, here.caId));
    const theirs = await issue(store, certificateOf(there.accountId, there.caId));
    const actors = [
      `certificate:serial:${mine.serial}`,
      `certificate:serial:${theirs.serial}`,
      'certificate:serial:7F01',
      `certificate:${mine.id}`,
      'operator',
      null,
    ] as const;
    const events = actors.map((actor) => refused({ actor, accountId: here.accountId }));
    const named = await nameCertificates(store.certificates, events);
    assert.deepEqual(
      named.map(({ actor }) => actor),
      [`certificate:${mine.id}`, ...actors.slice(1)],
    );
    assert.deepEqual(
      named.map(({ id }) => id),
      events.map(({ id }) => id),
    );
  });
});

test('nameCertificates() asks the store once for many events, and for none that names no certificate', async () => {
  const asked: (readonly string[])[] = [];
  const withSerials = async (serials: readonly string[]) => {
    asked.push(serials);
    return [];
  };
  const certificates = { withSerials };
  await nameCertificates(certificates, [refused({ actor: null }), refused({ actor: 'operator' })]);
  assert.deepEqual(asked, []);
  const twice = ['7F01', '7F02', '7F01'].map((serial) => refused({ actor: `certificate:serial:${serial}` }));
  assert.deepEqual(await nameCertificates(certificates, twice), twice);
  assert.deepEqual(asked, [['7F01', '7F02']]);
});

function refused(over: Partial<AuditEvent>): AuditEvent {
  return {
    id: newId('evt'),
    at: 0,
    kind: 'certificate.refused',
    accountId: null,
    shareId: null,
    sessionId: null,
    provider: null,
    email: null,
    actor: null,
    ip: null,
    requestId: null,
    reason: 'certificate_revoked',
    ...over,
  };
}
