// Logins by device at the control plane (RFC 8628): what the endpoints answer, who may confirm, and what
// strangers cannot do. The whole way with program and browser is in `test/e2e/device-login.test.ts`.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, before, beforeEach, mock, test } from 'node:test';
import {
  startControl,
  TEST_PROVIDER,
  type TestAnswer,
  type TestControl,
} from '../../../test/support/control.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../../../test/support/openssl.ts';
import { hashApiKey, parseApiKey } from '../../domain/api-key.ts';
import type { HeldCertificate } from '../../domain/client-certificate.ts';
import { newId } from '../../domain/id.ts';
import { randomToken, Secret, secretHash, shortHash } from '../../domain/secret.ts';
import { isMakerLoggedIn, rightsNow } from '../certificates/holder.ts';

let control: TestControl;
before(() => mock.timers.enable({ apis: ['Date'], now: Date.now() }));
beforeEach(async () => {
  control = await startControl();
});
after(() => mock.timers.reset());

test('POST /auth/device gives two codes, which the store keeps as hashes alone (RFC 8628 section 3.2)', async () => {
  await using rig = control;
  const { status, headers, document } = await begin(rig);
  assert.equal(status, 200);
  assert.equal(headers.get('cache-control'), 'no-store');
  assert.deepEqual(
    { ...document, device_code: '', user_code: '' },
    {
      device_code: '',
      user_code: '',
      verification_uri: `${rig.url.origin}/console/device`,
      expires_in: 600,
      interval: 5,
    },
  );
  assert.match(String(document['user_code']), /^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
  const kept = await rig.store.deviceLogins.find(secretHash(new Secret(String(document['device_code']))));
  assert.equal(kept?.name, 'laptop');
  for (const code of [document['device_code'], document['user_code']])
    assert.ok(!JSON.stringify(kept).includes(String(code)));
});

test('the endpoints are described (RFC 8414), and refuse what is no form, no client, no scope, or a browser', async () => {
  await using rig = control;
  const { document } = await rig.call({ path: '/.well-known/oauth-authorization-server', as: null });
  assert.equal(document['device_authorization_endpoint'], `${rig.url.origin}/auth/device`);
  assert.equal(document['token_endpoint'], `${rig.url.origin}/auth/token`);
  const refused = async (form: string, headers = {}) =>
    (await post(rig, '/auth/device', form, headers)).document;
  assert.equal((await refused('client_id=other'))['error'], 'invalid_client');
  assert.equal((await refused('client_id=doorward-cli&scope=root'))['error'], 'invalid_scope');
  assert.equal((await refused('client_id=doorward-cli&client_id=doorward-cli'))['error'], 'invalid_request');
  assert.equal((await refused(FORM, { 'content-type': 'text/plain' }))['error'], 'invalid_request');
  for (const headers of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'cross-site' }])
    assert.equal((await refused(FORM, headers))['code'], 'foreign_origin');
  assert.equal((await post(rig, '/auth/token', FORM)).document['error'], 'unsupported_grant_type');
});

test('POST /auth/token: pending, asked to slow down when it asks too early, and then the key, once (RFC 8628 section 3.5)', async () => {
  await using rig = control;
  const codes = (await begin(rig)).document;
  assert.equal((await poll(rig, codes)).document['error'], 'authorization_pending');
  mock.timers.tick(2_000);
  assert.equal((await poll(rig, codes)).document['error'], 'slow_down');
  mock.timers.tick(5_000);
  assert.equal((await poll(rig, codes)).document['error'], 'slow_down', 'ten seconds by now');
  mock.timers.tick(15_000);
  assert.equal((await poll(rig, codes)).document['error'], 'authorization_pending');
  assert.equal((await decide(rig, codes, true)).status, 204);
  mock.timers.tick(15_000);
  const { status, document } = await poll(rig, codes);
  assert.deepEqual(
    [status, document['token_type'], document['expires_in'], document['scope']],
    [200, 'Bearer', 2_592_000, 'full'],
  );
  const headers = { authorization: `Bearer ${String(document['access_token'])}` };
  const who = (await rig.call({ path: '/v1/caller', as: null, headers })).document;
  assert.deepEqual([who['kind'], who['role'], who['scope']], ['api_key', 'admin', 'full']);
  mock.timers.tick(60_000);
  assert.equal((await poll(rig, codes)).document['error'], 'invalid_grant');
});

test('of many that ask for the key at once, one gets it', async () => {
  await using rig = control;
  const codes = (await begin(rig)).document;
  await decide(rig, codes, true);
  // As gateways beside each other would: each counts for itself how often a device asks.
  const { deviceLogins, apiKeys } = rig.store;
  const hash = secretHash(new Secret(String(codes['device_code'])));
  const [answer, ...taken] = await Promise.all([
    poll(rig, codes),
    ...Array.from({ length: 5 }, () => deviceLogins.take(hash, Date.now())),
  ]);
  const won = taken.filter((each) => each !== null).length + (answer.status === 200 ? 1 : 0);
  assert.equal(won, 1);
  const names = (await apiKeys.list(rig.alice.id, { after: null, limit: 9 })).rows.map(({ name }) => name);
  assert.equal(names.length, answer.status === 200 ? 2 : 1, names.join());
});

test('a login that is denied, or that nobody confirmed within ten minutes, gives nothing', async () => {
  await using rig = control;
  const denied = (await begin(rig)).document;
  assert.equal((await decide(rig, denied, false)).status, 204);
  assert.equal((await decide(rig, denied, true)).document['code'], 'device_login_unknown');
  assert.equal((await poll(rig, denied)).document['error'], 'access_denied');
  const late = (await begin(rig)).document;
  mock.timers.tick(10 * 60_000);
  assert.equal((await decide(rig, late, true)).document['code'], 'device_login_unknown');
  assert.equal((await poll(rig, late)).document['error'], 'expired_token');
});

test('a key is never more than the member: who was removed meanwhile gets none, and who is a member gets a member’s', async () => {
  await using rig = control;
  const bob = await member(rig, 'bob@example.com');
  const first = (await begin(rig)).document;
  const shown = await find(rig, first, bob.headers);
  assert.deepEqual([shown.document['role'], shown.document['isSameNetwork']], ['member', true]);
  await decide(rig, first, true, bob.headers);
  const key = String((await poll(rig, first)).document['access_token']);
  const headers = { authorization: `Bearer ${key}` };
  assert.equal((await rig.call({ path: '/v1/shares', as: null, headers })).status, 200);
  assert.equal((await rig.call({ path: '/v1/members', as: null, headers })).status, 403);
  const second = (await begin(rig)).document;
  await decide(rig, second, true, bob.headers);
  assert.equal((await rig.call({ method: 'DELETE', path: `/v1/members/${bob.id}` })).status, 204);
  assert.equal((await poll(rig, second)).document['error'], 'access_denied');
  assert.equal(
    (await rig.call({ path: '/v1/shares', as: null, headers })).status,
    401,
    'gone with the member',
  );
});

test('an auditor’s key reads and changes nothing, and for serving shares they get none', async () => {
  await using rig = control;
  const bob = await member(rig, 'bob@example.com');
  await rig.call({ method: 'PATCH', path: `/v1/members/${bob.id}`, json: { role: 'auditor' } });
  const codes = (await begin(rig)).document;
  const shown = (await find(rig, codes, bob.headers)).document;
  assert.deepEqual([shown['role'], shown['scope']], ['auditor', 'read']);
  await decide(rig, codes, true, bob.headers);
  const { access_token: key, scope } = (await poll(rig, codes)).document;
  assert.equal(scope, 'read');
  const headers = { authorization: `Bearer ${String(key)}` };
  assert.equal((await rig.call({ path: '/v1/members', as: null, headers })).status, 200);
  const json = { name: 'made', target: 'http://127.0.0.1:3000', open: true };
  assert.equal((await rig.call({ path: '/v1/shares', json, as: null, headers })).status, 403);
  const tunnel = (await post(rig, '/auth/device', `${FORM}&scope=tunnel`)).document;
  await decide(rig, tunnel, true, bob.headers);
  assert.equal((await poll(rig, tunnel)).document['error'], 'access_denied');
});

test('a key counts no longer than the login that allowed it, and neither does what it made', async () => {
  await using rig = control;
  const codes = (await begin(rig)).document;
  await decide(rig, codes, true);
  const device = String((await poll(rig, codes)).document['access_token']);
  const made = (
    await rig.call({ path: '/v1/api-keys', json: { name: 'made' }, as: null, headers: by(device) })
  ).document;
  const keys = [device, String(made['key'])];
  const sessions = await Promise.all(keys.map((key) => keySession(rig, key)));
  const statuses = async () => {
    const callers = [...keys.map(by), ...sessions];
    const answers = callers.map((headers) => rig.call({ path: '/v1/caller', as: null, headers }));
    return (await Promise.all(answers)).map(({ status }) => status);
  };
  assert.deepEqual(await statuses(), [200, 200, 200, 200]);
  const known = { ...TEST_PROVIDER, verifiesEmail: true };
  for (const provider of [undefined, { ...known, generation: shortHash('other') }]) {
    Object.assign(rig.settings.console, { findProvider: () => provider });
    assert.deepEqual(await statuses(), [401, 401, 401, 401]);
    const answer = await rig.call({ path: '/v1/caller', as: null, headers: by(device) });
    assert.equal(answer.document['code'], 'api_key_invalid');
    assert.equal((await logInByKey(rig, device)).document['code'], 'api_key_invalid');
    assert.equal((await rig.call({ path: '/v1/caller' })).status, 200, 'a key of no login');
  }
  Object.assign(rig.settings.console, { findProvider: () => ({ ...known, requiresVerifiedEmail: true }) });
  assert.deepEqual(await statuses(), [200, 200, 200, 200], 'the address was verified');
});

test('what a key of such a login made counts no longer: certificates with a role, unused tokens (DESIGN "Mutual TLS")', async () => {
  await using rig = control;
  const codes = (await begin(rig)).document;
  await decide(rig, codes, true);
  const device = String((await poll(rig, codes)).document['access_token']);
  const { store, alice, settings } = rig;
  const key = await store.apiKeys.findByHash(hashApiKey(parseApiKey(device)!));
  assert.ok(key !== null);
  const { findProvider } = settings.console;
  const deps = { store, now: Date.now, findProvider };
  const role = { accountId: alice.id, apiRole: 'admin', allowedBy: `api-key:${key.id}` } as const;
  const maker = { kind: 'key', id: key.id } as const;
  assert.equal((await rightsNow(deps, role))?.role, 'admin');
  assert.equal(await isMakerLoggedIn(deps, alice.id, maker), true);
  const provider = findProvider(TEST_PROVIDER.name);
  assert.ok(provider !== undefined);
  const later = [
    undefined,
    { ...provider, generation: shortHash('other') },
    // Another account defined it since, with the same issuer and client id.
    { ...provider, accountId: newId('acc') },
  ];
  for (const found of later) {
    const changed = { ...deps, findProvider: () => found };
    assert.equal(await rightsNow(changed, role), null);
    assert.equal(await isMakerLoggedIn(changed, alice.id, maker), false);
    Object.assign(settings.console, { findProvider: () => found });
    assert.equal((await rig.call({ path: '/v1/caller', as: null, headers: by(device) })).status, 401);
  }
});

test('a key whose login showed no verified address is over when its provider must say so', async () => {
  await using rig = control;
  const codes = (await begin(rig)).document;
  await decide(rig, codes, true, await headersOf(rig, 'alice@example.com', { emailVerified: false }));
  const headers = by(String((await poll(rig, codes)).document['access_token']));
  assert.equal((await rig.call({ path: '/v1/caller', as: null, headers })).status, 200);
  const strict = { ...TEST_PROVIDER, verifiesEmail: true, requiresVerifiedEmail: true };
  Object.assign(rig.settings.console, { findProvider: () => strict });
  assert.equal(
    (await rig.call({ path: '/v1/caller', as: null, headers })).document['code'],
    'api_key_invalid',
  );
});

test('a login that was allowed gives no key after a logout, nor when its provider changed meanwhile', async () => {
  await using rig = control;
  const [out, owed, changed] = [await begin(rig), await begin(rig), await begin(rig)];
  const ended = await adminHeaders(rig);
  await decide(rig, out.document, true, ended);
  await rig.call({ method: 'POST', path: '/auth/logout', as: null, headers: ended });
  assert.equal((await poll(rig, out.document)).document['error'], 'access_denied');
  const headers = await adminHeaders(rig);
  await decide(rig, owed.document, true, headers);
  const token = /svc-control=(.+)/.exec(headers['cookie'] ?? '')?.[1] ?? '';
  const ids = [secretHash(new Secret(token))];
  rig.owedConsoleEnds.owe({ ids, end: () => Promise.resolve(), from: null, isOurs: false });
  assert.equal((await poll(rig, owed.document)).document['error'], 'access_denied', 'owed to the store');
  await decide(rig, changed.document, true);
  const other = { ...TEST_PROVIDER, verifiesEmail: true, generation: shortHash('other') };
  Object.assign(rig.settings.console, { findProvider: () => other });
  assert.equal((await poll(rig, changed.document)).document['error'], 'access_denied');
  assert.equal((await rig.store.apiKeys.list(rig.alice.id, { after: null, limit: 9 })).rows.length, 1);
});

test('where client certificates are required, a login without one is refused before anybody is asked for it, and says what works (DESIGN "Mutual TLS")', async () => {
  await using rig = control;
  Object.assign(rig.settings, { clientCertificates: 'required' });
  const { status, document } = await begin(rig);
  assert.deepEqual([status, document['code']], [403, 'certificate_required']);
  assert.match(
    String(document['detail']),
    /this API accepts API keys only together with a client certificate/,
  );
  assert.match(String(document['hint']), /doorward login --cert FILE/);
  Object.assign(rig.settings, { clientCertificates: 'optional' });
  assert.equal((await begin(rig)).status, 200);
});

test('where client certificates are required, one that counts lets a login begin, and its key is of the same account', async () => {
  let held: HeldCertificate | null = null;
  await control[Symbol.asyncDispose]();
  await using rig = await startControl({ certificate: () => held });
  const own = await certificateOf(rig, 'alice');
  const foreign = await certificateOf(rig, 'mallory');
  Object.assign(rig.settings, { clientCertificates: 'required' });
  held = { ...own, fingerprint: '0'.repeat(64) };
  assert.equal((await begin(rig)).document['code'], 'certificate_foreign');
  held = own;
  const codes = (await begin(rig)).document;
  assert.equal((await decide(rig, codes, true)).status, 204);
  held = foreign;
  assert.equal((await poll(rig, codes)).document['code'], 'certificate_foreign');
  held = own;
  mock.timers.tick(20_000);
  assert.equal((await poll(rig, codes)).status, 200);
});

test('only a member in person confirms: no key, no session of a key, no page of another site', async () => {
  await using rig = control;
  const codes = (await begin(rig)).document;
  const json = { userCode: codes['user_code'], allow: true };
  const path = '/v1/me/device-logins/decide';
  assert.equal((await rig.call({ path, json })).document['code'], 'not_allowed');
  const session = await keySession(rig, rig.alice.apiKey.reveal());
  const byKey = await rig.call({ path, json, as: null, headers: session });
  assert.equal(byKey.document['code'], 'not_allowed');
  const admin = await adminHeaders(rig);
  for (const foreign of [{ origin: 'https://evil.example' }, { 'sec-fetch-site': 'same-site' }]) {
    const answer = await rig.call({ path, json, as: null, headers: { ...admin, ...foreign } });
    assert.equal(answer.document['code'], 'foreign_origin');
  }
  const ahead = await rig.call({
    path,
    json,
    as: null,
    headers: { ...admin, 'sec-fetch-site': 'none', 'sec-purpose': 'prefetch' },
  });
  assert.equal(ahead.document['code'], 'foreign_origin');
  assert.equal((await poll(rig, codes)).document['error'], 'authorization_pending');
});

test('wrong codes are refused after ten, of a member and of a network: neither kind can be guessed (RFC 8628 section 5.1)', async () => {
  await using rig = control;
  const codes = (await begin(rig)).document;
  for (let tries = 0; tries < 10; tries++)
    assert.equal((await find(rig, { user_code: 'BCDF-GHJK' })).document['code'], 'device_login_unknown');
  assert.deepEqual(await refusalOf(find(rig, codes)), [429, 'rate_limited']);
  const other = await member(rig, 'bob@example.com');
  assert.deepEqual(await refusalOf(find(rig, codes, other.headers)), [429, 'rate_limited'], 'same network');
  for (let tries = 0; tries < 10; tries++) {
    const wrong = { device_code: randomToken() + randomToken().slice(1) };
    assert.equal((await poll(rig, wrong)).document['error'], 'invalid_grant');
  }
  const wrong = { device_code: randomToken() + randomToken().slice(1) };
  assert.deepEqual(await refusalOf(poll(rig, wrong)), [429, 'rate_limited']);
  mock.timers.tick(10 * 60_000);
  assert.equal((await find(rig, (await begin(rig)).document)).status, 200);
});

test('no more logins wait than one network may begin, and the store is not asked for more (RFC 8628 section 5.1)', async () => {
  await using rig = control;
  const answers: TestAnswer[] = [];
  for (let count = 0; count < 40; count++) answers.push(await begin(rig));
  assert.equal(answers.filter(({ status }) => status === 200).length, 30);
  const refused = answers.at(-1);
  assert.deepEqual([refused?.status, refused?.document['code']], [429, 'rate_limited']);
  assert.ok(Number(refused?.headers.get('retry-after')) > 0);
});

test('one network of IPv6, however many subscribers it has, leaves places to others; a decided login gives its place back (RFC 8628 section 5.1)', async () => {
  await control[Symbol.asyncDispose]();
  let address = '';
  await using rig = await startControl({ address: () => address });
  const statuses: number[] = [];
  for (let site = 0; site < 110; site++) {
    address = `2001:db8:0:${site.toString(16)}::1`;
    statuses.push((await begin(rig)).status);
  }
  assert.deepEqual(
    [statuses.filter((status) => status === 200).length, statuses.slice(100)],
    [100, Array.from({ length: 10 }, () => 429)],
  );
  address = '192.0.2.7';
  const all: TestAnswer[] = [];
  for (let count = 0; count < 31; count++) all.push(await begin(rig));
  assert.deepEqual([all[29]?.status, all[30]?.status], [200, 429]);
  assert.equal((await decide(rig, all[0]?.document ?? {}, false)).status, 204);
  assert.deepEqual([(await begin(rig)).status, (await begin(rig)).status], [200, 429]);
});

test('a member sees and deletes their own keys, of devices and others, and nobody else’s (THREATS "Tenancy")', async () => {
  await using rig = control;
  const bob = await member(rig, 'bob@example.com');
  const ann = await member(rig, 'ann@example.com');
  const keyOf = async (headers: Headers) => {
    const codes = (await begin(rig)).document;
    await decide(rig, codes, true, headers);
    return String((await poll(rig, codes)).document['access_token']);
  };
  const [key] = [await keyOf(bob.headers), await keyOf(ann.headers)];
  const path = '/v1/me/api-keys';
  const listed = async (headers: Headers) => {
    const { status, document } = await rig.call({ path, as: null, headers });
    assert.equal(status, 200, JSON.stringify(document));
    return document['items'] as readonly { readonly id: string; readonly isOfDevice: boolean }[];
  };
  const [bobs, anns] = [await listed(bob.headers), await listed(ann.headers)];
  assert.deepEqual([bobs.length, anns.length, bobs[0]?.isOfDevice], [1, 1, true]);
  const alices = await listed(await adminHeaders(rig));
  assert.deepEqual([alices.length, alices[0]?.isOfDevice], [1, false]);
  const remove = (id: string, headers: Headers) =>
    rig.call({ method: 'DELETE', path: `${path}/${id}`, as: null, headers });
  for (const id of [anns[0]?.id ?? '', alices[0]?.id ?? '', 'first', 'none'])
    assert.equal((await remove(id, bob.headers)).document['code'], 'api_key_unknown', id);
  const byKey = await rig.call({ path, as: null, headers: by(key) });
  assert.deepEqual([byKey.status, byKey.document['code']], [403, 'not_allowed'], 'in person alone');
  assert.equal((await remove(bobs[0]?.id ?? '', bob.headers)).status, 204);
  assert.equal((await rig.call({ path: '/v1/caller', as: null, headers: by(key) })).status, 401);
  assert.deepEqual([(await listed(bob.headers)).length, (await listed(ann.headers)).length], [0, 1]);
  const events = (await rig.call({ path: '/v1/audit-events?kind=api_key.deleted' })).document;
  assert.equal((events['items'] as readonly unknown[]).length, 1);
});

test('POST /auth/revoke ends the key that it is given, and answers alike for one that is none (RFC 7009)', async () => {
  await using rig = control;
  const { key } = (await rig.call({ path: '/v1/api-keys', json: { name: 'ci', scope: 'tunnel' } })).document;
  const token = String(key);
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await rig.call({ path: '/v1/caller', as: null, headers })).status, 200);
  for (const each of [token, token, 'dw_', `dw_${'a'.repeat(43)}`])
    assert.equal((await post(rig, '/auth/revoke', `token=${each}`)).status, 200);
  assert.equal((await rig.call({ path: '/v1/caller', as: null, headers })).status, 401);
  const { items } = (await rig.call({ path: '/v1/audit-events?kind=api_key.deleted' })).document;
  assert.equal((items as readonly unknown[]).length, 1);
  const last = await post(rig, '/auth/revoke', `token=${rig.alice.apiKey.reveal()}`);
  assert.deepEqual([last.status, last.document['code']], [409, 'last_admin']);
});

test('wrong codes and keys stop neither a login nor a logout of the same network', async () => {
  await using rig = control;
  const codes = (await begin(rig)).document;
  const { key } = (await rig.call({ path: '/v1/api-keys', json: { name: 'ci' } })).document;
  const junk = `dw_${'a'.repeat(43)}`;
  for (let tries = 0; tries < 10; tries++)
    assert.equal((await post(rig, '/auth/revoke', `token=${junk}`)).status, 200);
  assert.equal((await post(rig, '/auth/revoke', `token=${junk}`)).status, 429);
  const guess = () => poll(rig, { device_code: randomToken() + randomToken().slice(1) });
  assert.equal((await guess()).document['error'], 'invalid_grant', 'each endpoint counts for itself');
  for (let tries = 0; tries < 10; tries++) await guess();
  assert.deepEqual(await refusalOf(guess()), [429, 'rate_limited']);
  assert.equal((await poll(rig, codes)).document['error'], 'authorization_pending');
  assert.equal((await post(rig, '/auth/revoke', `token=${String(key)}`)).status, 200);
  const headers = by(String(key));
  assert.equal((await rig.call({ path: '/v1/caller', as: null, headers })).status, 401);
});

/** One that the account issued, as a connection shows it. */
async function certificateOf(rig: TestControl, as: 'alice' | 'mallory'): Promise<HeldCertificate> {
  const json = { name: 'device', commonName: 'device' };
  const made = await rig.call({ path: '/v1/certificate-request-tokens', json, as: rig[as] });
  const redeemed = { token: made.document['token'], csr: CSR };
  const { certificate } = (
    await rig.call({ path: '/v1/client-certificates/redeem', json: redeemed, as: null })
  ).document;
  const fingerprint = new X509Certificate(String(certificate)).fingerprint256
    .replaceAll(':', '')
    .toLowerCase();
  const kept = await rig.store.certificates.findByFingerprint(fingerprint);
  return { authorityId: kept?.caId ?? null, fingerprint };
}

type Codes = Readonly<Record<string, unknown>>;

const CSR = opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr;
const FORM = 'client_id=doorward-cli&device_name=laptop';

function begin(rig: TestControl): Promise<TestAnswer> {
  return post(rig, '/auth/device', FORM);
}

function poll(rig: TestControl, codes: Codes): Promise<TestAnswer> {
  const form = new URLSearchParams({
    client_id: 'doorward-cli',
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: String(codes['device_code']),
  });
  return post(rig, '/auth/token', String(form));
}

function post(rig: TestControl, path: string, body: string, headers = {}): Promise<TestAnswer> {
  const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
  // A browser's fetch would say where it comes from; this is a program.
  return rig.call({ path, body, as: null, headers: form });
}

type Headers = Readonly<Record<string, string>>;

async function find(rig: TestControl, codes: Codes, headers?: Headers): Promise<TestAnswer> {
  return rig.call({
    path: '/v1/me/device-logins/find',
    json: { userCode: codes['user_code'] },
    as: null,
    headers: headers ?? (await adminHeaders(rig)),
  });
}

async function decide(
  rig: TestControl,
  codes: Codes,
  allow: boolean,
  headers?: Headers,
): Promise<TestAnswer> {
  return rig.call({
    path: '/v1/me/device-logins/decide',
    json: { userCode: codes['user_code'], allow },
    as: null,
    headers: headers ?? (await adminHeaders(rig)),
  });
}

function by(key: string): Headers {
  return { authorization: `Bearer ${key}` };
}

function logInByKey(rig: TestControl, apiKey: string): Promise<TestAnswer> {
  return rig.call({ path: '/auth/key', as: null, json: { apiKey }, headers: { origin: rig.url.origin } });
}

async function keySession(rig: TestControl, apiKey: string): Promise<Headers> {
  const { headers } = await logInByKey(rig, apiKey);
  return { cookie: headers.get('set-cookie')?.split(';')[0] ?? '', origin: rig.url.origin };
}

async function refusalOf(answer: Promise<TestAnswer>): Promise<readonly unknown[]> {
  const { status, document } = await answer;
  return [status, document['code']];
}

async function member(rig: TestControl, email: string) {
  const { document } = await rig.call({ path: '/v1/members', json: { email } });
  const { id } = document['member'] as { readonly id: string };
  return { id, headers: await headersOf(rig, email) };
}

function adminHeaders(rig: TestControl): Promise<Headers> {
  return headersOf(rig, 'alice@example.com');
}

/** Of the browser of a member who logged in. */
async function headersOf(rig: TestControl, email: string, { emailVerified = true } = {}): Promise<Headers> {
  const token = new Secret(randomToken());
  const person = {
    provider: TEST_PROVIDER.name,
    generation: TEST_PROVIDER.generation,
    subject: email,
    email,
    emailVerified,
  };
  const entry = await rig.store.consoleSessions.begin({
    person,
    vouched: true,
    within: null,
    accountName: 'alice',
    invitation: null,
    hash: secretHash(token),
    createdAt: Date.now(),
    ageMs: 0,
    expiresAt: Date.now() + 3_600_000,
    ip: null,
    replaces: null,
  });
  assert.equal(entry.kind, 'member');
  return {
    cookie: `svc-control=${token.reveal()}`,
    origin: rig.url.origin,
    'content-type': 'application/json',
  };
}
