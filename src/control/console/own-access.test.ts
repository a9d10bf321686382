// People's own things at the control plane, for members and for people who are none: who gets a session for
// them, what is theirs, and what somebody who invents claims does not get.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { after, before, beforeEach, describe, test } from 'node:test';
import { type Browser, createBrowser } from '../../../test/support/browser-by-hand.ts';
import {
  startControl,
  TEST_PROVIDER,
  type TestAccount,
  type TestControl,
} from '../../../test/support/control.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../../../test/support/openssl.ts';
import type { OwnCertificateObject, OwnRenewal, OwnSessionObject } from '../../wire/own.ts';
import { newId, type SessionId } from '../../domain/id.ts';
import type { HeldCertificate } from '../../domain/client-certificate.ts';
import type { Identity } from '../../domain/identity.ts';
import { shortHash } from '../../domain/secret.ts';
import { sealConsoleGrant } from '../../login/console-grant.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import { addSession, addShare, claimAll } from '../../store/suite/bench.test-support.ts';

let control: TestControl;
let alices: ShareRow;
let mallorys: ShareRow;
/** What the next connection brings. */
let shown: HeldCertificate | null = null;
before(async () => {
  control = await startControl({ certificate: () => shown });
  alices = await addShare(control.store, { accountId: control.alice.id, name: 'alices' });
  mallorys = await addShare(control.store, { accountId: control.mallory.id, name: 'mallorys' });
});
after(() => control[Symbol.asyncDispose]());

describe('who gets a session for their own things', () => {
  test('somebody with a session at a share gets one for an hour, and nothing else opens (DESIGN 3)', async () => {
    const ann = personCalled('ann');
    await at(alices, ann);
    const browser = createBrowser();
    const answer = await logIn(browser, ann);
    assert.equal(answer.status, 303, answer.body);
    const line = answer.setCookies.find((each) => each.startsWith('svc-control='));
    assert.match(line ?? '', /^svc-control=[\w-]{22}; Path=\/; Max-Age=3600; HttpOnly; SameSite=Lax$/);
    const session = await read<Record<string, unknown>>(browser, '/auth/session');
    assert.deepEqual(
      [session['kind'], session['account'], session['member'], session['apiKey'], session['may']],
      ['visitor', null, null, null, ['oneself']],
    );
    assert.deepEqual(session['person'], { email: ann.email, provider: 'test' });
    const me = await read<Record<string, unknown>>(browser, '/v1/me');
    assert.deepEqual(
      [me['email'], me['provider'], me['providerDisplayName'], me['emailVerified']],
      [ann.email, 'test', 'Test Login', true],
    );
    for (const path of ['/v1/shares', '/v1/sessions', '/v1/status', '/v1/gateways'])
      assert.deepEqual(codeOf(await get(browser, path)), [403, 'not_allowed'], path);
    const kept = browser.jar.header(control.url) ?? '';
    assert.equal((await send(browser, 'POST', '/auth/logout', {})).status, 204);
    const late = await createBrowser().request(`${control.url.origin}/v1/me`, { headers: { cookie: kept } });
    assert.deepEqual(codeOf(late), [401, 'login_required']);
  });

  test('whoever has nothing here, or came as somebody’s member, gets none (DESIGN 3)', async () => {
    const eve = personCalled('eve');
    const refused = await logIn(createBrowser(), eve);
    assert.deepEqual([refused.status, refused.setCookies], [403, []]);
    await at(alices, eve);
    const asMember = await logIn(createBrowser(), eve, { accountName: 'alice' });
    assert.deepEqual([asMember.status, asMember.setCookies], [403, []]);
    assert.equal((await logIn(createBrowser(), eve)).status, 303);
  });

  test('a grant is good once, for one browser; the session before it ends (THREATS "Session and cookie")', async () => {
    const ann = personCalled('ann');
    await at(alices, ann);
    const browser = await setOut();
    const path = `/auth/complete?grant=${grantOf(browser, ann)}`;
    const stolen = await (await setOut()).request(`${control.url.origin}${path}`);
    assert.equal(codeOf(stolen)[1], 'state_foreign');
    assert.equal((await browser.request(`${control.url.origin}${path}`)).status, 303);
    const first = browser.jar.header(control.url) ?? '';
    // No page led there: nothing is started, so that no link swaps a login.
    const asked = await browser.open(`${control.url.origin}/auth/login?provider=test`);
    assert.deepEqual([asked.status, asked.setCookies], [200, []]);
    const again = await logIn(browser, ann);
    assert.equal(again.status, 303, again.body);
    const fixed = await createBrowser().request(`${control.url.origin}/v1/me`, {
      headers: { cookie: first },
    });
    assert.deepEqual(codeOf(fixed), [401, 'login_required']);
    // What somebody planted is no session, and is never taken over.
    const planted = createBrowser();
    planted.jar.put({ ...cookieOf(browser), value: 'A'.repeat(22) });
    assert.deepEqual(codeOf(await get(planted, '/v1/me')), [401, 'login_required']);
    assert.equal((await logIn(planted, ann)).status, 303);
    assert.notEqual(cookieOf(planted).value, 'A'.repeat(22));
  });

  test('it is over when the provider is another or gone; without its word no address counts', async () => {
    const ann = personCalled('ann');
    await at(alices, ann);
    const browser = createBrowser();
    await logIn(browser, ann);
    const { findProvider } = control.settings.console;
    const provider = { ...TEST_PROVIDER, verifiesEmail: true };
    try {
      const foreign = { ...provider, accountId: control.mallory.id };
      for (const changed of [undefined, { ...provider, generation: shortHash('other') }, foreign]) {
        Object.assign(control.settings.console, { findProvider: () => changed });
        assert.deepEqual(codeOf(await get(browser, '/v1/me')), [401, 'login_required']);
      }
      for (const careless of [
        { ...provider, verifiesEmail: false },
        { ...provider, emailPatterns: ['*@corp.example'] },
      ]) {
        Object.assign(control.settings.console, { findProvider: () => careless });
        assert.equal((await read<{ emailVerified: boolean }>(browser, '/v1/me')).emailVerified, false);
      }
      // This login showed a verified address: asked for from now on, it does not end.
      Object.assign(control.settings.console, {
        findProvider: () => ({ ...provider, requiresVerifiedEmail: true }),
      });
      assert.equal((await get(browser, '/v1/me')).status, 200);
    } finally {
      Object.assign(control.settings.console, { findProvider });
    }
    assert.equal((await get(browser, '/v1/me')).status, 200);
  });

  test('a verified address, asked for from now on, is asked of a login that showed none, whatever it was worth here (2.4)', async () => {
    const { findProvider } = control.settings.console;
    const provider = { ...TEST_PROVIDER, verifiesEmail: false, emailPatterns: ['*@corp.example'] };
    const [ann, bob] = [{ ...personCalled('ann'), emailVerified: false }, personCalled('bob')];
    const [anns, bobs] = [createBrowser(), createBrowser()];
    Object.assign(control.settings.console, { findProvider: () => provider });
    try {
      for (const [browser, person] of [[anns, ann] as const, [bobs, bob] as const]) {
        await at(alices, person);
        assert.equal((await logIn(browser, person)).status, 303);
        assert.equal((await get(browser, '/v1/me')).status, 200);
      }
      const strict = { ...provider, verifiesEmail: true, requiresVerifiedEmail: true };
      Object.assign(control.settings.console, { findProvider: () => strict });
      for (const path of ['/v1/me', '/v1/me/sessions', '/auth/session']) {
        assert.deepEqual(codeOf(await get(anns, path)), [401, 'login_required'], path);
        // His address matches none of the patterns, and is verified.
        assert.equal((await get(bobs, path)).status, 200, path);
      }
    } finally {
      Object.assign(control.settings.console, { findProvider });
    }
  });

  test('where certificates are required it counts beside one alone, and for its account alone (DESIGN "Mutual TLS")', async () => {
    const ann = personCalled('ann');
    await at(alices, ann);
    await at(mallorys, ann);
    const browser = createBrowser();
    await logIn(browser, ann);
    const { caId, fingerprint } = await certificateFor('somebody@example.com');
    const settings = control.settings as { clientCertificates: string };
    settings.clientCertificates = 'required';
    try {
      assert.deepEqual(codeOf(await get(browser, '/v1/me')), [403, 'certificate_required']);
      shown = { authorityId: caId, fingerprint };
      const { items } = await read<{ items: readonly OwnSessionObject[] }>(browser, '/v1/me/sessions');
      assert.deepEqual(
        items.map(({ share }) => share),
        ['alices'],
      );
    } finally {
      shown = null;
      settings.clientCertificates = 'none';
    }
  });
});

describe('own sessions', () => {
  test('are those of the same person at the same provider, at every account, and end at once', async () => {
    const ann = personCalled('ann');
    const [one, two] = [await at(alices, ann), await at(mallorys, ann)];
    const others = [
      await at(alices, { ...personCalled('bob'), email: ann.email }),
      await at(alices, ann, { provider: 'other' }),
      await at(alices, ann, { generation: shortHash('former') }),
    ];
    const browser = createBrowser();
    await logIn(browser, ann);
    const { items } = await read<{ items: readonly OwnSessionObject[] }>(browser, '/v1/me/sessions');
    assert.deepEqual(new Set(items.map(({ id }) => id)), new Set([one, two]));
    assert.deepEqual(items.map(({ url }) => url).toSorted(), [
      'https://alices.share.example.com',
      'https://mallorys.share.example.com',
    ]);
    for (const id of [...others, newId('ses'), 'ses_', 'x'])
      assert.deepEqual(codeOf(await send(browser, 'DELETE', `/v1/me/sessions/${id}`)), [
        404,
        'session_unknown',
      ]);
    assert.equal((await send(browser, 'DELETE', `/v1/me/sessions/${one}`)).status, 204);
    const row = await control.store.sessions.find(one);
    assert.equal(row?.endReason, 'ended_by_person');
    assert.ok((await claimAll(control.store)).some(({ row: of }) => of.id === one));
    const { document } = await control.call({ path: '/v1/audit-events?kind=session.ended' });
    const [event] = document['items'] as readonly Record<string, unknown>[];
    assert.deepEqual(
      [event?.['sessionId'], event?.['actor'], event?.['reason'], event?.['email']],
      [one, null, 'ended_by_person', ann.email],
    );
    const all = await send(browser, 'DELETE', '/v1/me/sessions');
    assert.deepEqual(JSON.parse(all.body), { ended: 1 });
    assert.notEqual((await control.store.sessions.find(two))?.endedAt, null);
    for (const id of others) assert.equal((await control.store.sessions.find(id))?.endedAt, null);
  });

  test('a page of another site ends none, and a suspended account’s are nobody’s to see', async () => {
    const ann = personCalled('ann');
    const id = await at(alices, ann);
    await at(mallorys, ann);
    const browser = createBrowser();
    await logIn(browser, ann);
    for (const path of ['/v1/me/sessions', `/v1/me/sessions/${id}`])
      for (const headers of [{}, { origin: 'null' }, { origin: 'https://alices.share.example.com' }]) {
        const forced = await browser.request(`${control.url.origin}${path}`, {
          method: 'DELETE',
          headers: { 'content-type': 'application/json', ...headers },
        });
        assert.deepEqual(codeOf(forced), [403, 'foreign_origin']);
      }
    assert.equal((await control.store.sessions.find(id))?.endedAt, null);
    await control.store.accounts.suspend(control.alice.id, true);
    const { items } = await read<{ items: readonly OwnSessionObject[] }>(browser, '/v1/me/sessions');
    await control.store.accounts.suspend(control.alice.id, false);
    assert.deepEqual(
      items.map(({ share }) => share),
      ['mallorys'],
    );
    assert.equal((await control.store.sessions.find(id))?.endReason, 'account_suspended');
  });

  test('a member sees their own as well, at every account', async () => {
    const bob = personCalled('bob');
    await control.call({ path: '/v1/members', json: { email: bob.email } });
    const id = await at(mallorys, bob);
    const browser = createBrowser();
    await logIn(browser, bob);
    const session = await read<{ kind: string; may: readonly string[] }>(browser, '/auth/session');
    assert.deepEqual([session.kind, session.may.includes('oneself')], ['member', true]);
    const { items } = await read<{ items: readonly OwnSessionObject[] }>(browser, '/v1/me/sessions');
    assert.deepEqual(
      items.map((each) => each.id),
      [id],
    );
  });
});

describe('an account’s own provider, which may say what it likes', () => {
  test('shows and ends nothing of another account (THREATS "Tenancy")', async () => {
    const { name, generation } = await mallorysProvider();
    const ann = personCalled('ann');
    const theirs = await at(alices, ann);
    const certificate = await certificateFor(ann.email);
    // The same subject and address, by a provider that its owner makes up; and a session that belongs to
    // nobody else.
    const claimed: Identity = { ...ann, provider: name };
    const own = await at(mallorys, claimed, { provider: name, generation });
    // As if the store had such a row of another account.
    const planted = await at(alices, claimed, { provider: name, generation });
    const browser = createBrowser();
    assert.equal((await logIn(browser, claimed, { generation })).status, 303);
    const sessions = await read<{ items: readonly OwnSessionObject[] }>(browser, '/v1/me/sessions');
    assert.deepEqual(
      sessions.items.map(({ id }) => id),
      [own],
    );
    const certificates = await read<{ items: readonly unknown[] }>(browser, '/v1/me/certificates');
    assert.deepEqual(certificates.items, []);
    for (const id of [theirs, planted])
      assert.deepEqual(codeOf(await send(browser, 'DELETE', `/v1/me/sessions/${id}`)), [
        404,
        'session_unknown',
      ]);
    for (const what of ['revoke', 'renewal'])
      assert.deepEqual(
        codeOf(await send(browser, 'POST', `/v1/me/certificates/${certificate.id}/${what}`, {})),
        [404, 'certificate_unknown'],
      );
    assert.deepEqual(JSON.parse((await send(browser, 'DELETE', '/v1/me/sessions')).body), { ended: 1 });
    for (const id of [theirs, planted]) assert.equal((await control.store.sessions.find(id))?.endedAt, null);
  });

  test('gives no session for what is another account’s (THREATS "Tenancy")', async () => {
    const { name, generation } = await mallorysProvider();
    const ann = personCalled('ann');
    await at(alices, ann);
    await certificateFor(ann.email);
    const refused = await logIn(createBrowser(), { ...ann, provider: name }, { generation });
    assert.deepEqual([refused.status, refused.setCookies], [403, []]);
  });

  test('ends with its account (DESIGN 3)', async () => {
    const { name, generation } = await mallorysProvider();
    const claimed: Identity = { ...personCalled('ann'), provider: name };
    await at(mallorys, claimed, { provider: name, generation });
    const browser = createBrowser();
    await logIn(browser, claimed, { generation });
    assert.equal((await get(browser, '/v1/me')).status, 200);
    await control.store.accounts.suspend(control.mallory.id, true);
    await control.feed.caughtUp();
    const { items } =
      (await get(browser, '/v1/me')).status === 401
        ? { items: [] }
        : await read<{ items: readonly unknown[] }>(browser, '/v1/me/sessions');
    await control.store.accounts.suspend(control.mallory.id, false);
    assert.deepEqual(items, []);
  });
});

describe('own certificates', () => {
  beforeEach(() => allowRenewal(true));

  test('say the address that is vouched for; the holder revokes them, and nobody else’s', async () => {
    const ann = personCalled('ann');
    const mine = await certificateFor(ann.email.toUpperCase());
    const there = await certificateFor(ann.email, { as: control.mallory });
    const bobs = await certificateFor('bob@example.com');
    const browser = createBrowser();
    assert.equal((await logIn(browser, ann)).status, 303);
    const { items } = await certificatesIn(browser);
    assert.deepEqual(
      new Set(items.map(({ id, account, state }) => `${id} ${account} ${state}`)),
      new Set([`${mine.id} alice living`, `${there.id} mallory living`]),
    );
    // Nothing of who allowed it.
    assert.doesNotMatch(JSON.stringify(items), /key_|api-key|mem_|crq_/);
    const revoke = (id: string) => send(browser, 'POST', `/v1/me/certificates/${id}/revoke`, {});
    assert.deepEqual(codeOf(await revoke(bobs.id)), [404, 'certificate_unknown']);
    assert.deepEqual(codeOf(await revoke(mine.serial)), [404, 'certificate_unknown']);
    assert.equal((JSON.parse((await revoke(mine.id)).body) as OwnCertificateObject).state, 'revoked');
    assert.equal((await revoke(mine.id)).status, 200);
    const kept = await control.store.certificates.find(control.alice.id, mine.id);
    assert.deepEqual([kept?.revokedAt === null, kept?.revokedBy], [false, 'holder']);
    const { document } = await control.call({ path: '/v1/audit-events?kind=certificate.revoked' });
    const events = (document['items'] as readonly Record<string, unknown>[]).filter(({ reason }) =>
      String(reason).startsWith(mine.id),
    );
    assert.deepEqual(
      events.map(({ actor }) => actor),
      ['holder'],
    );
  });

  test('whoever sends a colleague’s CSR takes nothing of theirs by calling the key compromised (THREATS "Tenancy")', async () => {
    const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
    const [ann, eve] = [personCalled('ann'), personCalled('eve')];
    const anns = await certificateFor(ann.email, { csr });
    const eves = [await certificateFor(eve.email, { csr }), await certificateFor(eve.email, { csr })];
    const browser = createBrowser();
    await logIn(browser, eve);
    const isRevoked = async ({ id }: { readonly id: string }) =>
      (await control.store.certificates.find(control.alice.id, id))?.revokedAt !== null;
    assert.equal((await callCompromised(browser, eves[0]?.id ?? '')).status, 200);
    assert.deepEqual(await Promise.all([anns, ...eves].map(isRevoked)), [false, true, true]);
    // The key is still Ann's to use.
    const next = await certificateFor(ann.email, { csr });
    const herBrowser = createBrowser();
    await logIn(herBrowser, ann);
    assert.equal((await callCompromised(herBrowser, anns.id)).status, 200);
    assert.deepEqual(await Promise.all([anns, next].map(isRevoked)), [true, true]);
    // Nobody else has it: her word counts for the key.
    const made = await control.call({
      path: '/v1/certificate-request-tokens',
      json: { name: 'laptop', commonName: 'ann', emailAddress: ann.email },
    });
    const json = { token: made.document['token'], csr };
    const { document } = await control.call({ path: '/v1/client-certificates/redeem', as: null, json });
    assert.equal(document['code'], 'csr_refused');
  });

  test('are renewed near their end by a link that is good once, with the same subject (contract 2.7)', async () => {
    const ann = personCalled('ann');
    const held = await certificateFor(ann.email);
    const browser = createBrowser();
    await logIn(browser, ann);
    assert.deepEqual(codeOf(await renew(browser, held.id)), [409, 'renewal_refused']);
    assert.equal((await certificatesIn(browser)).items[0]?.renewal, 'later');
    nearItsEnd(held.id);
    assert.equal((await certificatesIn(browser)).items[0]?.renewal, 'now');
    const [first, second] = [await linkIn(browser, held.id), await linkIn(browser, held.id)];
    const origin = control.url.origin;
    assert.ok(second.url.startsWith(`${origin}/redeem#crt_`));
    // One open at a time.
    assert.deepEqual(await redeemed(first.url), [404, 'token_unknown']);
    assert.equal((await redeemed(second.url))[0], 201);
    assert.deepEqual(await redeemed(second.url), [409, 'token_used']);
    const { items } = await certificatesIn(browser);
    assert.equal(items.length, 2);
    const next = items.find(({ id }) => id !== held.id);
    assert.deepEqual([next?.commonName, next?.name, next?.renewal], ['ann', 'laptop', 'later']);
    const kept = await control.store.certificates.find(control.alice.id, next?.id ?? '');
    assert.deepEqual([kept?.renewedFrom, kept?.subject, kept?.apiRole], [held.id, held.subject, null]);
    assert.equal(kept?.allowedBy, held.allowedBy);
    assert.equal(items.find(({ id }) => id === held.id)?.renewal, 'renewed');
    assert.deepEqual(codeOf(await renew(browser, held.id)), [409, 'renewal_refused']);
    // What was renewed from it goes with it.
    await send(browser, 'POST', `/v1/me/certificates/${held.id}/revoke`, {});
    assert.deepEqual(
      new Set((await certificatesIn(browser)).items.map(({ state }) => state)),
      new Set(['revoked']),
    );
    const { document } = await control.call({ path: '/v1/audit-events?kind=certificate_token.created' });
    const actors = (document['items'] as readonly Record<string, unknown>[]).map(({ actor }) => actor);
    assert.deepEqual(actors.slice(0, 2), ['holder', 'holder']);
  });

  test('are not renewed against the rules, nor with a role, nor when whoever allowed it is gone', async () => {
    const ann = personCalled('ann');
    const json = { name: newId('key').slice(4), role: 'admin' };
    const maker = (await control.call({ path: '/v1/api-keys', json })).document;
    const held = await certificateFor(ann.email);
    const powerful = await certificateFor(ann.email, { apiRole: 'member' });
    const orphan = await certificateFor(ann.email, { bearer: String(maker['key']) });
    for (const { id } of [held, powerful, orphan]) nearItsEnd(id);
    const browser = createBrowser();
    await logIn(browser, ann);
    assert.deepEqual(codeOf(await renew(browser, powerful.id)), [409, 'renewal_refused']);
    await control.call({ method: 'DELETE', path: `/v1/api-keys/${String(maker['id'])}` });
    assert.deepEqual(codeOf(await renew(browser, orphan.id)), [409, 'renewal_refused']);
    const { url } = await linkIn(browser, held.id);
    await allowRenewal(false);
    assert.deepEqual(codeOf(await renew(browser, held.id)), [422, 'policy_violation']);
    assert.equal((await certificatesIn(browser)).items.find(({ id }) => id === held.id)?.renewal, 'never');
    // The rule of now counts for a link of then.
    assert.deepEqual(await redeemed(url), [422, 'policy_violation']);
    await allowRenewal(true);
    await send(browser, 'POST', `/v1/me/certificates/${held.id}/revoke`, {});
    assert.deepEqual(await redeemed(url), [404, 'token_unknown']);
    assert.deepEqual(codeOf(await renew(browser, held.id)), [409, 'renewal_refused']);
  });

  test('links are slowed down, and go over no open channel (DESIGN "Rate limits", contract 5.4)', async () => {
    const ann = personCalled('ann');
    const held = await certificateFor(ann.email);
    nearItsEnd(held.id);
    const browser = createBrowser();
    await logIn(browser, ann);
    const statuses: number[] = [];
    for (let count = 0; count < 6; count++) statuses.push((await renew(browser, held.id)).status);
    assert.deepEqual(statuses, [201, 201, 201, 201, 201, 429]);
  });

  test('are nobody’s by an address that the provider does not vouch for', async () => {
    const ann = personCalled('ann');
    await at(alices, ann);
    const held = await certificateFor(ann.email);
    const { findProvider } = control.settings.console;
    const careless = { ...TEST_PROVIDER, verifiesEmail: false };
    Object.assign(control.settings.console, { findProvider: () => careless });
    const browser = createBrowser();
    try {
      assert.equal((await logIn(browser, { ...ann, emailVerified: false })).status, 303);
      assert.deepEqual((await certificatesIn(browser)).items, []);
    } finally {
      Object.assign(control.settings.console, { findProvider });
    }
    // Nor later, when it does: what counts is what it said at the login.
    assert.deepEqual((await certificatesIn(browser)).items, []);
    const revoked = await send(browser, 'POST', `/v1/me/certificates/${held.id}/revoke`, {});
    assert.deepEqual(codeOf(revoked), [404, 'certificate_unknown']);
  });
});

/** Nobody else's in this file. */
function personCalled(name: string): Identity {
  const subject = newId('att').slice(4);
  return { provider: 'test', subject, email: `${name}.${subject}@example.com`, emailVerified: true };
}

function at(
  share: ShareRow,
  { subject, email }: Identity,
  { provider = 'test', generation = TEST_PROVIDER.generation } = {},
): Promise<SessionId> {
  const browser = newId('ses');
  return addSession(control.store, { share, at: Date.now(), subject, email, provider, generation, browser });
}

async function mallorysProvider(): Promise<{ readonly name: string; readonly generation: string }> {
  const name = newId('prv').slice(4);
  const config = {
    clientId: 'c',
    clientSecret: 's',
    issuerUrl: 'https://127.0.0.1/',
    scopes: ['openid', 'email'],
  };
  const { status, document } = await control.call({
    path: '/v1/auth-providers',
    as: control.mallory,
    json: { name, type: 'OIDC', config: { ...config, requireVerifiedEmail: true } },
  });
  assert.equal(status, 201, JSON.stringify(document));
  return { name, generation: control.settings.console.findProvider(name)?.generation ?? '' };
}

async function setOut(): Promise<Browser> {
  const browser = createBrowser();
  await browser.open(`${control.url.origin}/auth/login?provider=test`);
  return browser;
}

type Over = { readonly generation?: string; readonly accountName?: string };

function grantOf(browser: Browser, identity: Identity, { generation, accountName }: Over = {}): string {
  return sealConsoleGrant(control.settings.console.seal, {
    kind: 'console',
    id: newId('att'),
    identity,
    providerGeneration: generation ?? TEST_PROVIDER.generation,
    bindingHash: shortHash(browser.jar.find('svc-control-bind')?.value ?? ''),
    invitation: null,
    accountName: accountName ?? null,
    setOutAt: Date.now(),
    expiresAt: Date.now() + 60_000,
  });
}

async function logIn(browser: Browser, identity: Identity, over: Over = {}) {
  const address = `${control.url.origin}/auth/login?provider=test`;
  const asked = await browser.open(address);
  // A browser that is logged in already is asked first, by a page whose own link goes on.
  if (asked.status === 200) await browser.open(address, { headers: { 'sec-fetch-site': 'same-origin' } });
  return browser.request(`${control.url.origin}/auth/complete?grant=${grantOf(browser, identity, over)}`);
}

type Draft = {
  readonly as?: TestAccount;
  readonly apiRole?: string;
  readonly bearer?: string;
  readonly csr?: string;
};

/** One for this address, redeemed by its holder. */
async function certificateFor(
  emailAddress: string,
  { as = control.alice, apiRole, bearer, csr }: Draft = {},
) {
  const made = await control.call({
    path: '/v1/certificate-request-tokens',
    json: { name: 'laptop', commonName: 'ann', emailAddress, ...(apiRole === undefined ? {} : { apiRole }) },
    ...(bearer === undefined ? { as } : { as: null, headers: { authorization: `Bearer ${bearer}` } }),
  });
  assert.equal(made.status, 201, JSON.stringify(made.document));
  const json = { token: made.document['token'], csr: csr ?? opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr };
  const { document } = await control.call({ path: '/v1/client-certificates/redeem', as: null, json });
  const found = await control.store.certificates.find(as.id, String(document['serial']));
  assert.ok(found);
  return found;
}

/** As if it had been issued long ago. */
function nearItsEnd(id: string): void {
  const database = new DatabaseSync(control.store.sqliteFile);
  database
    .prepare('UPDATE client_certificates SET created_at = created_at - 8640000000 WHERE id = ?')
    .run(id);
  database.close();
}

async function allowRenewal(renewalByLogin: boolean): Promise<void> {
  const answer = await control.call({
    method: 'PATCH',
    path: '/v1/certificate-policy',
    json: { renewalByLogin },
  });
  assert.equal(answer.status, 200);
}

async function redeemed(url: string): Promise<readonly [number, string]> {
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
  const json = { token: new URL(url).hash.slice(1), csr };
  const { status, document } = await control.call({ path: '/v1/client-certificates/redeem', as: null, json });
  return [status, String(document['code'] ?? '')];
}

function renew(browser: Browser, id: string) {
  return send(browser, 'POST', `/v1/me/certificates/${id}/renewal`, {});
}

function callCompromised(browser: Browser, id: string) {
  return send(browser, 'POST', `/v1/me/certificates/${id}/revoke`, { reason: 'key_compromise' });
}

async function linkIn(browser: Browser, id: string): Promise<OwnRenewal> {
  const { status, body } = await renew(browser, id);
  assert.equal(status, 201, body);
  return JSON.parse(body) as OwnRenewal;
}

function certificatesIn(browser: Browser) {
  return read<{ items: readonly OwnCertificateObject[] }>(browser, '/v1/me/certificates');
}

function get(browser: Browser, path: string) {
  return browser.request(`${control.url.origin}${path}`);
}

async function read<Value>(browser: Browser, path: string): Promise<Value> {
  const { status, body } = await get(browser, path);
  assert.equal(status, 200, body);
  return JSON.parse(body) as Value;
}

function send(browser: Browser, method: string, path: string, json?: object) {
  return browser.request(`${control.url.origin}${path}`, {
    method,
    headers: { origin: control.url.origin, 'content-type': 'application/json' },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
}

function cookieOf(browser: Browser) {
  const cookie = browser.jar.find('svc-control');
  assert.ok(cookie);
  return cookie;
}

function codeOf({ status, body }: { readonly status: number; readonly body: string }) {
  return [status, body === '' ? '' : String((JSON.parse(body) as { code?: string }).code ?? '')] as const;
}
