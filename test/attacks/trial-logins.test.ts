// A trial of a provider tells the admin who started it what the provider said, once, and nobody anything
// else: it logs nobody in, opens no share, and cannot be started, finished or read from elsewhere.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { type Browser, type BrowserWalk, walkLogin } from '../support/browser-by-hand.ts';
import { addAccount, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let origin: string;
before(async () => {
  service = await startTestService({
    corp: { require_verified_email: true },
    outboundAllow: ['127.0.0.1', 'localhost'],
  });
  origin = `http://127.0.0.1:${service.ports.control}`;
  await addAccount(service.config, 'other', 'admin@other.test');
  await service.share('open');
  await service.share('narrow', { oauthEmailAddressPatterns: ['*@acme.test'] });
});
after(() => service.close());

const TRIAL = '/auth/trial?provider=corp';

describe('A trial', () => {
  test('tells what the provider said and whom shares would let in, and leaves no session of any kind', async () => {
    const admin = await consoleOf('admin@acme.test');
    const control = admin.jar.find('svc-control')?.value;
    const { last, answers } = await walkLogin(admin, `${origin}${TRIAL}`, { email: 'ann@elsewhere.test' });
    assert.equal(last.status, 200, last.body);
    for (const shown of [
      /ann@elsewhere\.test/,
      /Verified.*yes/,
      /Share open.*allows this/,
      /Share narrow.*no:/,
    ])
      assert.match(last.body, shown);
    assert.equal(admin.jar.find('svc-control')?.value, control);
    assert.equal(admin.jar.find('svc-auth-session'), undefined);
    const ours = answers.filter(({ url }) => !url.href.startsWith(service.idp.issuer));
    const set = ours.flatMap(({ setCookies }) => setCookies).map((cookie) => /^[\w-]+/.exec(cookie)?.[0]);
    assert.ok(
      set.every((name) => name?.startsWith('svc-auth-attempt-') || name === 'svc-auth-browser'),
      `${set.join()}`,
    );
    assert.deepEqual((await service.client.sessions.list()).items, []);
    assert.equal((await admin.open((await service.client.shares.show('open')).url)).status, 302);
    const session = await admin.request(`${origin}/auth/session`);
    assert.match(session.body, /admin@acme\.test/);
    const [event] = (await service.client.auditEvents.list({ kind: ['provider.tried'] })).items;
    assert.deepEqual([event?.provider, event?.email, event?.reason], ['corp', 'ann@elsewhere.test', null]);
    assert.doesNotMatch(await readFile(service.logFile, 'utf8'), /outcome=|request=/);
  });

  test('is shown once, in the console session that started it, and is nothing elsewhere', async () => {
    const admin = await consoleOf('admin@acme.test');
    const outcome = await outcomeUrl(admin);
    const colleague = await consoleOf('admin@other.test');
    assert.equal(codeOf(await colleague.request(outcome)), 'state_foreign');
    // The same person in a later session is another session, too.
    const later = await consoleOf('admin@acme.test');
    assert.equal(codeOf(await later.request(outcome)), 'state_foreign');
    assert.equal(codeOf(await service.browser().request(outcome)), 'login_required');
    assert.equal((await admin.request(outcome, { method: 'HEAD' })).status, 405);
    const sealed = outcome.searchParams.get('outcome') ?? '';
    const asGrant = await admin.request(`${origin}/auth/complete?grant=${sealed}`);
    assert.equal(codeOf(asGrant), 'request_invalid');
    assert.equal(codeOf(await admin.request(`${outcome.href}x`)), 'request_invalid');
    assert.equal((await admin.open(outcome)).status, 200);
    assert.equal(codeOf(await admin.request(outcome)), 'state_replayed');
  });

  test('two tabs that show the same outcome at once get it once', async () => {
    const admin = await consoleOf('admin@acme.test');
    const outcome = await outcomeUrl(admin);
    const answers = await Promise.all([admin.open(outcome), admin.open(outcome), admin.open(outcome)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 400, 400]);
  });

  test('starts for admins alone, on a page of our own, with a provider that the account may use', async () => {
    const { invitation } = await service.client.members.create({ email: 'bob@acme.test' });
    const member = service.browser();
    await walkLogin(member, invitation.url, { email: 'bob@acme.test' });
    assert.equal(codeOf(await member.request(`${origin}${TRIAL}`)), 'not_allowed');
    assert.equal(codeOf(await service.browser().request(`${origin}${TRIAL}`)), 'login_required');
    const admin = await consoleOf('admin@acme.test');
    for (const site of ['same-site', 'cross-site']) {
      const answer = await admin.request(`${origin}${TRIAL}`, { headers: { 'sec-fetch-site': site } });
      assert.equal(codeOf(answer), 'foreign_origin');
    }
    await service.client.providers.create({
      name: 'acmes',
      type: 'OIDC',
      config: {
        clientId: 'a',
        clientSecret: 'b',
        issuerUrl: 'https://id.example.com',
        scopes: ['openid', 'email'],
      },
    });
    const stranger = await consoleOf('admin@other.test');
    const unknown = await stranger.request(`${origin}/auth/trial?provider=nobody`);
    const theirs = await stranger.request(`${origin}/auth/trial?provider=acmes`);
    assert.deepEqual([codeOf(theirs), codeOf(unknown)], ['provider_unknown', 'provider_unknown']);
    assert.equal((await admin.request(`${origin}/auth/trial?provider=acmes`)).status, 302);
  });

  test('of somebody who lost the role meanwhile, or is no member any more, tells nothing', async () => {
    const { member, invitation } = await service.client.members.create({
      email: 'eve@acme.test',
      role: 'admin',
    });
    const eve = service.browser();
    await walkLogin(eve, invitation.url, { email: 'eve@acme.test' });
    const outcome = await outcomeUrl(eve);
    await service.client.members.modify(member.id, { role: 'member' });
    assert.equal(codeOf(await eve.request(outcome)), 'not_allowed');
    await service.client.members.remove(member.id);
    assert.equal(codeOf(await eve.request(outcome)), 'login_required');
  });

  test('of a provider that is another one by now, or none, tells nothing', async () => {
    const { client, idp, endpointUrl } = service;
    const config = { issuerUrl: idp.issuer, scopes: ['openid', 'email'], requireVerifiedEmail: true };
    for (const clientId of ['first', 'second'])
      idp.addClient({
        clientId,
        clientSecret: clientId,
        redirectUris: [`${endpointUrl}/changing/auth/callback`],
      });
    const first = { ...config, clientId: 'first', clientSecret: 'first' };
    await client.providers.create({ name: 'changing', type: 'OIDC', config: first });
    const admin = await consoleOf('admin@acme.test');
    const outcome = await outcomeUrl(admin, 'changing');
    await client.providers.modify('changing', {
      config: { ...config, clientId: 'second', clientSecret: 'second' },
    });
    assert.equal(codeOf(await admin.request(outcome)), 'request_expired');
    const later = await outcomeUrl(admin, 'changing');
    await client.providers.remove('changing');
    assert.equal(codeOf(await admin.request(later)), 'request_expired');
  });

  test('that a victim is sent to finish is over at the callback: the attempt is in the attacker’s browser', async () => {
    const attacker = await consoleOf('admin@acme.test');
    const callback = /\/corp\/auth\/callback$/;
    const until = ({ pathname }: URL) => callback.test(pathname);
    const { stopped } = await walkLogin(attacker, `${origin}${TRIAL}`, { email: 'mallory@evil.test', until });
    assert.ok(stopped);
    const victim = await consoleOf('admin@other.test');
    assert.equal(codeOf(await victim.request(stopped)), 'state_missing');
    const request = (await attacker.request(`${origin}${TRIAL}`)).location;
    assert.ok(request);
    // The victim may start what the attacker began, and is told nothing: the outcome is the attacker's
    // session's.
    const { last } = await walkLogin(victim, request, { email: 'admin@other.test' });
    assert.equal(last.status, 400);
    assert.equal(victim.jar.find('svc-auth-session'), undefined);
  });

  test('leads nowhere but to the control plane’s own page', async () => {
    const admin = await consoleOf('admin@acme.test');
    for (const extra of ['redirect_url=https://evil.test', 'return=//evil.test', 'provider=corp']) {
      const { location, status } = await admin.request(`${origin}${TRIAL}&${extra}`);
      assert.ok(status === 400 || location?.origin === new URL(service.endpointUrl).origin);
    }
    const outcome = await outcomeUrl(admin);
    assert.equal(outcome.origin, origin);
    const page = await admin.open(outcome);
    assert.match(String(page.headers['content-security-policy']), /default-src 'none'/);
    assert.doesNotMatch(page.body, /<script/);
    for (const [, href = ''] of page.body.matchAll(/<a[^>]* href="([^"]*)"/g)) assert.match(href, /^\/\w/);
  });
});

/** A browser in which this admin is logged in to the console. */
async function consoleOf(email: string): Promise<Browser> {
  const browser = service.browser();
  const { last } = await walkLogin(browser, `${origin}/auth/login`, {
    email,
    until: ({ pathname }) => pathname.startsWith('/console'),
  });
  assert.ok(browser.jar.find('svc-control'), last.body);
  return browser;
}

/** A trial of this browser as far as the control plane's page, which is not asked for. */
async function outcomeUrl(browser: Browser, provider = 'corp'): Promise<URL> {
  const walk: BrowserWalk = await walkLogin(browser, `${origin}/auth/trial?provider=${provider}`, {
    email: 'ann@acme.test',
    until: ({ pathname }) => pathname === '/auth/trial/outcome',
  });
  assert.ok(walk.stopped, walk.last.body);
  return walk.stopped;
}

function codeOf({ body }: { readonly body: string }): string {
  return String((JSON.parse(body) as { code?: string }).code);
}
