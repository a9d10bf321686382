// A login with an address that the provider does not call verified: refused, and written down with who it was
// said to be.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import { onEngines } from '../support/on-engines.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService } from '../support/service.ts';

onEngines('a refused login', ({ storeUrl }) => {
  test('a refused unverified login is in the audit log with its person, marked as unverified (Audit)', async (t) => {
    const service = await startTestService({ storeUrl: await storeUrl() });
    t.after(service.close);
    const share = await service.share('demo');
    service.idp.account('ada@example.com').emailVerified = false;
    const { last } = await walkLogin(service.browser(), share.url, { email: 'ada@example.com' });
    assert.equal(last.status, 403);
    const event = await eventually('the refusal is written down', async () => {
      const { items } = await service.client.auditEvents.list();
      return items.find(({ kind }) => kind === 'login.refused');
    });
    assert.deepEqual(
      [event.reason, event.actor, event.email, event.provider],
      ['email_unverified', 'unverified:ada@example.com', null, 'corp'],
    );
  });
});
