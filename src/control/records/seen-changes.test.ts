// Who is told what changed: every member reads the audit log, and of what admins alone may read, no changes.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControl } from '../../../test/support/control.ts';
import { startWebhookReceiver } from '../../../test/support/webhook-receiver.ts';
import { Secret } from '../../domain/secret.ts';
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

function kinds(events: readonly AuditEventObject[]): readonly string[] {
  return events.map(({ kind }) => kind);
}
