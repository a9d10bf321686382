// Members log in to the control plane with the certified OpenID provider, and call the API with what their
// browser got (DESIGN "Who may use which provider").

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { after, before, test } from 'node:test';
import type { Browser, BrowserAnswer } from '../support/browser-by-hand.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import { startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let origin = '';
before(async () => {
  service = await startTestService({ corp: { require_verified_email: true } });
  origin = `http://127.0.0.1:${service.ports.control}`;
});
after(() => service.close());

test('an invited person logs in, calls the API as a member, and logs out', async () => {
  const { member, invitation } = await service.client.members.create({ email: 'Ada@Example.com' });
  assert.equal(member.state, 'invited');
  assert.ok(invitation.url.startsWith(`${origin}/auth/invitation#dwi_`));
  const browser = service.browser();
  const { last, answers } = await walkLogin(browser, invitation.url, { email: 'ada@example.com' });
  assert.equal(last.status, 200, last.body);
  assert.equal(last.url.href, `${origin}/console/`);
  for (const { url, location } of answers) assert.doesNotMatch(`${url.href} ${location?.href ?? ''}`, /dwi_/);
  const session = JSON.parse((await browser.request(`${origin}/auth/session`)).body) as {
    account: { name: string };
    member: { id: string; role: string };
  };
  assert.deepEqual(
    [session.account.name, session.member.id, session.member.role],
    ['acme', member.id, 'member'],
  );
  assert.equal((await browser.request(`${origin}/v1/shares`)).status, 200);
  assert.equal((await browser.request(`${origin}/v1/members`)).status, 403);
  const made = await post(browser, '/v1/shares', { name: 'adas', target: service.backend.url, open: true });
  assert.equal(made.status, 201, made.body);
  const { items } = JSON.parse((await browser.request(`${origin}/v1/audit-events`)).body) as {
    items: readonly { kind: string; actor: string | null; email: string | null }[];
  };
  const said = new Set(items.map(({ kind, actor }) => `${kind} ${actor}`));
  assert.ok(said.has(`share.created member:${member.id}`));
  assert.ok(said.has(`member.accepted member:${member.id}`));
  assert.ok(said.has(`console.login member:${member.id}`));
  const bound = (await service.client.members.list()).items.find(({ id }) => id === member.id);
  assert.deepEqual([bound?.state, bound?.provider], ['active', 'corp']);
  const kept = browser.jar.header(new URL(origin));
  assert.equal((await post(browser, '/auth/logout', {})).status, 204);
  const late = await browser.request(`${origin}/v1/shares`, { headers: { cookie: kept ?? '' } });
  assert.equal(late.status, 401);
});

test('an account’s first admin needs no invitation: the verified address is enough (DESIGN 3)', async () => {
  const browser = service.browser();
  const { last } = await walkLogin(browser, `${origin}/auth/login`, { email: 'admin@acme.test' });
  assert.equal(last.status, 200, last.body);
  assert.equal((await browser.request(`${origin}/v1/members`)).status, 200);
});

test('who is no member gets a page, no cookie, and the reason is written down (DESIGN 3)', async () => {
  const browser = service.browser();
  const { last } = await walkLogin(browser, `${origin}/auth/login?provider=corp`, {
    email: 'eve@elsewhere.test',
  });
  assert.equal(last.status, 403);
  assert.match(last.body, /not a member of an account/);
  assert.equal(browser.jar.find('svc-control'), undefined);
});

test('a deleted member is out at the next call', async () => {
  const { member, invitation } = await service.client.members.create({ email: 'bob@example.com' });
  const browser = service.browser();
  await walkLogin(browser, invitation.url, { email: 'bob@example.com' });
  assert.equal((await browser.request(`${origin}/v1/shares`)).status, 200);
  await service.client.members.remove(member.id);
  assert.equal((await browser.request(`${origin}/v1/shares`)).status, 401);
});

test('behind the gateway, over TLS, the cookie is the host’s own (DESIGN 2.1, 3)', async () => {
  const secure = await startTestService({ tls: true, corp: { require_verified_email: true } });
  try {
    const own = `https://control.share.localhost:${secure.ports.gateway}`;
    const text = await readFile(secure.configFile, 'utf8');
    await writeFile(secure.configFile, text.replace(`http://127.0.0.1:${secure.ports.control}`, own));
    await secure.reload();
    const { invitation } = await secure.client.members.create({ email: 'ada@example.com' });
    assert.ok(invitation.url.startsWith(`${own}/auth/invitation#`));
    const browser = secure.browser();
    const { last } = await walkLogin(browser, invitation.url, { email: 'ada@example.com' });
    assert.equal(last.url.href, `${own}/console/`);
    const cookie = browser.jar.find('__Host-svc-control');
    assert.deepEqual([cookie?.secure, cookie?.hostOnly, cookie?.httpOnly], [true, true, true]);
    assert.equal((await browser.request(`${own}/v1/shares`)).status, 200);
    const headers = { origin: own, 'content-type': 'application/json' };
    const json = JSON.stringify({ name: 'adas', target: secure.backend.url, open: true });
    const made = await browser.request(`${own}/v1/shares`, { method: 'POST', headers, body: json });
    assert.equal(made.status, 201, made.body);
    const sibling = `https://adas.share.localhost:${secure.ports.gateway}`;
    const foreign = await browser.request(`${own}/v1/shares/adas`, {
      method: 'DELETE',
      headers: { ...headers, origin: sibling },
    });
    assert.equal(foreign.status, 403);
    const log = await readFile(secure.logFile, 'utf8');
    assert.doesNotMatch(log, /dwi_|grant=/);
    assert.ok(!log.includes(cookie?.value ?? ''));
  } finally {
    await secure.close();
  }
});

function post(browser: Browser, path: string, json: object): Promise<BrowserAnswer> {
  return browser.request(`${origin}${path}`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
}
