// Groups and claims through the whole service: from the certified provider to the app behind a share, and
// away again when the provider takes them. On both engines.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { decodeJwt } from 'jose';
import { type Browser, walkLogin } from '../support/browser-by-hand.ts';
import type { Echo } from '../support/echo-backend.ts';
import { onEngines } from '../support/on-engines.ts';
import { eventually } from '../support/serve-process.ts';
import { startTestService, type TestService } from '../support/service.ts';
import type { ShareObject } from '../../src/wire/share.ts';

onEngines('groups from the provider to the app', ({ storeUrl }) => {
  let service: TestService;
  before(async () => {
    service = await startTestService({
      corp: { groups_claim: 'groups', claims: ['department'] },
      storeUrl: await storeUrl(),
    });
  });
  after(() => service?.close());

  test('an app is told of groups, name, subject and claims where its share says so, and of what a check finds (Headers)', async () => {
    const email = 'ada@example.com';
    const account = service.idp.account(email);
    account.name = 'Ada Lovelace';
    account.claims = { groups: ['eng', 'a,b\nsvc-auth-email: x'], department: 'R&D' };
    const told = await service.share('told', {
      identity: ['groups', 'name', 'subject', 'claims'],
      oauthCheckInterval: '1s',
    });
    const plain = await service.share('plain');
    const browser = service.browser();
    await walkLogin(browser, told.url, { email });
    const { headers } = await ask(browser, told);
    assert.equal(headers['svc-auth-groups'], 'eng,a%2Cb%0Asvc-auth-email: x');
    assert.equal(headers['svc-auth-name'], 'Ada Lovelace');
    assert.equal(headers['svc-auth-subject'], account.subject);
    assert.equal(headers['svc-auth-email'], email);
    const claims = decodeJwt(String(headers['svc-auth-assertion']));
    assert.deepEqual(claims['groups'], account.claims['groups']);
    assert.deepEqual(claims['claims'], { department: ['R&D'] });
    account.claims = { groups: ['ops'] };
    const fewer = await eventually('the next check tells the app of fewer', async () => {
      const echo = await ask(browser, told);
      return echo.headers['svc-auth-groups'] === 'ops' && echo;
    });
    assert.deepEqual(decodeJwt(String(fewer.headers['svc-auth-assertion']))['claims'], {});
    account.claims = {};
    await eventually('groups that are told no more are gone', async () => {
      const echo = await ask(browser, told);
      return echo.headers['svc-auth-groups'] === undefined;
    });
    await walkLogin(browser, plain.url, { email });
    const names = Object.keys((await ask(browser, plain)).headers).filter((name) =>
      name.startsWith('svc-auth-'),
    );
    assert.deepEqual(names.toSorted(), [
      'svc-auth-assertion',
      'svc-auth-email',
      'svc-auth-expires',
      'svc-auth-provider',
    ]);
  });

  test('who is in 10,000 groups is told what to do, and gets no session (too_many_groups)', async () => {
    const email = 'busy@example.com';
    service.idp.account(email).claims = { groups: Array.from({ length: 10_000 }, (_, index) => `g${index}`) };
    const share = await service.share('busy');
    const browser = service.browser();
    const { last } = await walkLogin(browser, share.url, { email });
    assert.equal(last.status, 502);
    assert.match(last.body, /sent too many groups/);
    assert.notEqual((await browser.open(new URL(share.url))).status, 200);
    const event = await eventually('it is written down', async () => {
      const { items } = await service.client.auditEvents.list();
      return items.find(({ kind, email: of }) => kind === 'login.failed' && of === email);
    });
    assert.equal(event.reason, 'too_many_groups');
  });
});

async function ask(browser: Browser, share: ShareObject): Promise<Echo> {
  const answer = await browser.open(new URL('/page', share.url));
  assert.equal(answer.status, 200, answer.body);
  return JSON.parse(answer.body) as Echo;
}
