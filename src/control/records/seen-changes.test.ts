// Who is told what changed: every member reads the audit log, and of what admins alone may read, no changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControl } from '../../../test/support/control.ts';
import { startWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { Secret } from '../../domain/secret.ts';
import { auditEvent } from '../../domain/audit-event.ts';
import type { AuditKind } from '../../domain/audit-kind.ts';
import type { AuditEventObject } from '../../wire/audit-event.ts';

test('GET /v1/audit-events tells a member no changes of what admins alone read, and finds none by them', async () => {
  await using control = await startControl();
  const receiver = await startWebhookReceiver();
  await using _ = { [Symbol.asyncDispose]: () => receiver.close() };
  const add = async (path: string, json: object) => {
    const { status, document } = await control.call({ path, json });
    assert.equal(status, 201, JSON.stringify(document));
    return document;
  };
  await add('/v1/webhooks', { name: 'kestrel', url: receiver.url });
  await add('/v1/shares', { name: 'heron', target: 'http://127.0.0.1:8080', open: true });
  const { key } = await add('/v1/api-keys', { name: 'reader', role: 'member', scope: 'read' });
  const member = { ...control.alice, apiKey: new Secret(String(key)) };
  assert.equal((await control.call({ path: '/v1/webhooks', as: member })).status, 403);
  const found = async (query: string, as = member) => {
    const { status, document } = await control.call({ path: `/v1/audit-events?${query}`, as });
    assert.equal(status, 200, JSON.stringify(document));
    return document['items'] as readonly AuditEventObject[];
  };
  const [hook] = await found('kind=webhook.created');
  assert.deepEqual([hook?.kind, hook?.changes], ['webhook.created', undefined]);
  for (const isIndexed of [false, true]) {
    if (isIndexed) while (await control.store.audit.index());
    assert.deepEqual(await found('text=kestrel'), []);
    assert.deepEqual(await found('text=webhook.c kestrel'), []);
    assert.deepEqual(kinds(await found('text=webhook.c')), ['webhook.created']);
    assert.deepEqual(kinds(await found('text=kestrel', control.alice)), ['webhook.created']);
    const [share] = await found('text=heron');
    assert.equal(share?.changes?.after?.['name'], 'heron');
  }
  const [told] = await found('kind=webhook.created', control.alice);
  assert.equal(told?.changes?.after?.['name'], 'kestrel');
});

test('GET /v1/audit-events and /v1/webhooks show kinds of a newer version, and no changes of what nobody here knows', async () => {
  await using control = await startControl();
  const { id: accountId } = control.alice;
  const known = auditEvent({ kind: 'webhook.tested', at: Date.now(), accountId });
  const changes = { before: null, after: { name: 'plover' }, secrets: [], omitted: 0 };
  await control.store.audit.append([{ ...known, kind: 'newer.kind' as AuditKind, changes }]);
  for (const path of ['/v1/audit-events?limit=1', '/v1/audit-events?text=newer.kind']) {
    const { status, document } = await control.call({ path });
    assert.equal(status, 200, JSON.stringify(document));
    const [event] = document['items'] as readonly AuditEventObject[];
    assert.deepEqual([event?.kind, event?.changes], ['newer.kind', undefined]);
  }
  const byChanges = await control.call({ path: '/v1/audit-events?text=plover' });
  assert.deepEqual(byChanges.document['items'], []);
  const receiver = await startWebhookReceiver();
  await using _ = { [Symbol.asyncDispose]: () => receiver.close() };
  const { document: made } = await control.call({ path: '/v1/webhooks', json: { url: receiver.url } });
  const newer = { kinds: ['newer.kind' as AuditKind] };
  await control.store.webhooks.modify(accountId, made['id'] as `whk_${string}`, newer);
  const { status, document } = await control.call({ path: '/v1/webhooks' });
  assert.equal(status, 200, JSON.stringify(document));
  assert.deepEqual((document['items'] as readonly { kinds: unknown }[])[0]?.kinds, ['newer.kind']);
});

function kinds(events: readonly AuditEventObject[]): readonly string[] {
  return events.map(({ kind }) => kind);
}
