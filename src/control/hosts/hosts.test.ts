// Host names of their own by the API, with a real name server on loopback (DESIGN 2.3).

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  startControl,
  type TestAccount,
  type TestAnswer,
  type TestControl,
} from '../../../test/support/control.ts';
import { startTxtServer, type TxtServer } from '../../../test/support/txt-server.ts';
import type { ToldEvent } from '../../domain/audit-event.ts';
import { challengeName, challengeValue } from '../../domain/custom-host.ts';
import { routedShare } from '../shares/view.ts';
import { createTxtLookup } from './txt-lookup.ts';

const HOST = 'app.customer.com';
const LOGIN_HOST = 'wiki.example.com';
const CHALLENGE = challengeName(HOST);

type Rig = {
  readonly control: TestControl;
  readonly dns: TxtServer;
  /** Makes a share, which has a login when it is named so. */
  readonly share: (name: string, as?: TestAccount) => Promise<void>;
  readonly claim: (host: string, share: string, as?: TestAccount) => ReturnType<TestControl['call']>;
  readonly verify: (host: string, as?: TestAccount) => ReturnType<TestControl['call']>;
  [Symbol.asyncDispose](): Promise<void>;
};

/** `scheme`: of the addresses of shares. */
async function startRig(scheme: 'http' | 'https' = 'https'): Promise<Rig> {
  const dns = await startTxtServer();
  const shareBase = { scheme, domain: 'share.example.com', port: scheme === 'https' ? 443 : 80 };
  const control = await startControl({ shareBase }, createTxtLookup([dns.address]));
  const { call, alice } = control;
  return {
    control,
    dns,
    share: async (name, as = alice) => {
      const login = name.startsWith('login') ? { oauthProvider: 'test' } : { open: true };
      const json = { name, target: 'http://127.0.0.1:3000', ...login };
      const { status, document } = await call({ path: '/v1/shares', json, as });
      assert.equal(status, 201, JSON.stringify(document));
    },
    claim: (host, share, as = alice) => call({ path: '/v1/hosts', json: { host, share }, as }),
    verify: (host, as = alice) => call({ path: `/v1/hosts/${host}/verification`, json: {}, as }),
    async [Symbol.asyncDispose]() {
      await control[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    },
  };
}

async function eventsOf(control: TestControl): Promise<readonly ToldEvent[]> {
  const { document } = await control.call({ path: '/v1/audit-events?limit=50' });
  return document['items'] as readonly ToldEvent[];
}

test('a host is claimed, proved by a TXT record among others, answered at, and given up', async () => {
  await using rig = await startRig();
  const { control, dns } = rig;
  await rig.share('demo');
  const claimed = await rig.claim(HOST, 'demo');
  assert.equal(claimed.status, 201);
  assert.equal(claimed.headers.get('location'), `/v1/hosts/${HOST}`);
  const value = challengeValue(control.alice.id, HOST);
  const { id, createdAt, ...object } = claimed.document;
  assert.deepEqual(object, {
    host: HOST,
    share: 'demo',
    state: 'pending',
    proof: null,
    challenge: { type: 'TXT', name: `_doorward-challenge.${HOST}`, value },
    provedAt: null,
  });
  assert.equal(control.feed.findByHost(HOST), null);
  dns.zone.set(CHALLENGE, [['v=spf1 -all'], ['something', ' else'], [value.slice(0, 30), value.slice(30)]]);
  const { status, document } = await rig.verify(HOST);
  assert.deepEqual([status, document['state'], document['proof']], [200, 'active', 'dns']);
  assert.equal(control.feed.findByHost(HOST)?.name, 'demo');
  const shown = await control.call({ path: '/v1/shares/demo' });
  assert.deepEqual(shown.document['hosts'], ['demo.share.example.com', HOST]);
  assert.equal(shown.document['url'], 'https://demo.share.example.com');
  const list = await control.call({ path: '/v1/hosts?share=demo' });
  assert.deepEqual(list.document, { items: [{ ...document }], nextCursor: null, total: 1 });
  assert.deepEqual((await control.call({ path: `/v1/hosts/${String(id)}` })).document, document);
  assert.equal(typeof createdAt, 'string');
  // The record is not looked for again.
  dns.zone.clear();
  assert.equal((await rig.verify(HOST)).status, 200);
  assert.equal(dns.asked.filter((name) => name === CHALLENGE).length, 1);
  assert.equal((await control.call({ method: 'DELETE', path: `/v1/hosts/${HOST}` })).status, 204);
  assert.equal(control.feed.findByHost(HOST), null);
  assert.equal((await control.call({ path: `/v1/hosts/${HOST}` })).document['code'], 'host_unknown');
  const kinds = (await eventsOf(control)).map(({ kind }) => kind).filter((kind) => kind.startsWith('host.'));
  assert.deepEqual(new Set(kinds), new Set(['host.claimed', 'host.proved', 'host.deleted']));
});

test('of many who verify a host at once, one proves it and writes that down', async () => {
  await using rig = await startRig();
  const { control, dns } = rig;
  await rig.share('demo');
  await rig.claim(HOST, 'demo');
  dns.zone.set(CHALLENGE, [[challengeValue(control.alice.id, HOST)]]);
  const answers = await Promise.all(Array.from({ length: 5 }, () => rig.verify(HOST)));
  for (const { status, document } of answers) assert.deepEqual([status, document['state']], [200, 'active']);
  const kinds = (await eventsOf(control)).map(({ kind }) => kind);
  assert.deepEqual(
    kinds.filter((kind) => kind === 'host.proved'),
    ['host.proved'],
  );
});

test('no record, another value, another account’s value, and a DNS that fails prove nothing', async () => {
  await using rig = await startRig();
  const { control, dns } = rig;
  await rig.share('demo');
  await rig.claim(HOST, 'demo');
  const refused = async (found: RegExp): Promise<void> => {
    const { status, document } = await rig.verify(HOST);
    assert.deepEqual([status, document['code']], [409, 'host_unproved']);
    assert.match(String(document['detail']), found);
    assert.match(String(document['hint']), /_doorward-challenge\.app\.customer\.com/);
    assert.equal(control.feed.findByHost(HOST), null);
  };
  await refused(/it has no TXT record/);
  dns.zone.set(CHALLENGE, []);
  await refused(/it has no TXT record/);
  const value = challengeValue(control.alice.id, HOST);
  const others = [
    challengeValue(control.mallory.id, HOST),
    challengeValue(control.alice.id, 'other.customer.com'),
    `${value}x`,
    value.toUpperCase(),
    '',
  ];
  dns.zone.set(
    CHALLENGE,
    others.map((text) => [text]),
  );
  await refused(/none of its 5 TXT records/);
  dns.refuseWith = 2;
  await refused(/the DNS did not answer/);
});

test('a claim without proof stands in nobody’s way, and the first of two proofs stays', async () => {
  await using rig = await startRig();
  const { control, dns } = rig;
  const { alice, mallory } = control;
  await rig.share('squat', mallory);
  await rig.share('demo');
  assert.equal((await rig.claim(HOST, 'squat', mallory)).status, 201);
  assert.equal((await rig.claim(HOST, 'demo')).status, 201);
  const values = [challengeValue(alice.id, HOST), challengeValue(mallory.id, HOST)] as const;
  dns.zone.set(CHALLENGE, [[values[0]]]);
  assert.equal((await rig.verify(HOST)).status, 200);
  assert.equal((await rig.verify(HOST, mallory)).document['code'], 'host_unproved');
  dns.zone.set(
    CHALLENGE,
    values.map((text) => [text]),
  );
  const late = await rig.verify(HOST, mallory);
  assert.deepEqual([late.status, late.document['code']], [409, 'host_taken']);
  assert.equal(control.feed.findByHost(HOST)?.name, 'demo');
});

test('a host passes to who proves it once the holder’s record is gone, and the holder is told', async () => {
  await using rig = await startRig();
  const { control, dns } = rig;
  const { alice, mallory: next } = control;
  await rig.share('demo');
  await rig.share('theirs', next);
  await rig.claim(HOST, 'demo');
  dns.zone.set(CHALLENGE, [[challengeValue(alice.id, HOST)]]);
  await rig.verify(HOST);
  await rig.claim(HOST, 'theirs', next);
  dns.zone.set(CHALLENGE, [[challengeValue(next.id, HOST)]]);
  assert.equal((await rig.verify(HOST, next)).status, 200);
  assert.equal(control.feed.findByHost(HOST)?.name, 'theirs');
  const lost = (await eventsOf(control)).find(({ kind }) => kind === 'host.lost');
  assert.deepEqual([lost?.reason, lost?.actor, lost?.ip, lost?.requestId], [HOST, null, null, null]);
});

function assertOutside(answer: TestAnswer): void {
  assert.deepEqual([answer.status, answer.document['code']], [422, 'host_outside_cookie_domain']);
  assert.match(String(answer.document['detail']), /over plain HTTP .* hosts under example\.com only/);
  assert.match(String(answer.document['hint']), /without a login/);
}

test('over https a share with a login takes any host that is proved, before or after the login (2.5)', async () => {
  await using rig = await startRig();
  const { control, dns } = rig;
  for (const name of ['login', 'open']) await rig.share(name);
  for (const [host, share] of [
    [HOST, 'login'],
    ['docs.customer.com', 'open'],
  ] as const) {
    assert.equal((await rig.claim(host, share)).status, 201);
    dns.zone.set(challengeName(host), [[challengeValue(control.alice.id, host)]]);
    assert.equal((await rig.verify(host)).status, 200);
  }
  assert.equal(control.feed.findByHost(HOST)?.login?.providers[0]?.name, 'test');
  const json = { oauthProvider: 'test' };
  const changed = await control.call({ method: 'PATCH', path: '/v1/shares/open', json });
  assert.equal(changed.status, 200);
  assert.equal(control.feed.findByHost('docs.customer.com')?.login?.providers[0]?.name, 'test');
});

test('over plain HTTP a share with a login takes hosts under cookie_domain alone: the cookie reaches no other (contract 2.5)', async () => {
  await using rig = await startRig('http');
  const { control, dns } = rig;
  for (const name of ['login', 'open']) await rig.share(name);
  const setLogin = (share: string) =>
    control.call({ method: 'PATCH', path: `/v1/shares/${share}`, json: { oauthProvider: 'test' } });
  assertOutside(await rig.claim(HOST, 'login'));
  for (const [host, share] of [
    [LOGIN_HOST, 'login'],
    [HOST, 'open'],
  ] as const) {
    await rig.claim(host, share);
    dns.zone.set(challengeName(host), [[challengeValue(control.alice.id, host)]]);
  }
  assert.equal((await rig.verify(LOGIN_HOST)).status, 200);
  assert.deepEqual(control.feed.findByHost(LOGIN_HOST)?.login?.providers[0]?.name, 'test');
  // The login came between claim and proof, then after the proof.
  assert.equal((await setLogin('open')).status, 200);
  assertOutside(await rig.verify(HOST));
  await control.call({ method: 'PATCH', path: '/v1/shares/open', json: { oauthProvider: null, open: true } });
  assert.equal((await rig.verify(HOST)).status, 200);
  assertOutside(await setLogin('open'));
  assert.equal(control.feed.findByHost(HOST)?.login, null);
});

test('over plain HTTP a share whose rules alone name a provider takes hosts under cookie_domain alone, too', async () => {
  await using rig = await startRig('http');
  const { control, dns } = rig;
  await rig.share('open');
  await rig.claim(HOST, 'open');
  dns.zone.set(CHALLENGE, [[challengeValue(control.alice.id, HOST)]]);
  const json = { rules: [{ allow: { providers: ['test'] } }] };
  assert.equal((await control.call({ method: 'PATCH', path: '/v1/shares/open', json })).status, 200);
  assertOutside(await rig.verify(HOST));
  assertOutside(await rig.claim('docs.customer.com', 'open'));
  assert.equal((await rig.claim(LOGIN_HOST, 'open')).status, 201);
});

test('over plain HTTP a share with a login answers at no host that a changed cookie_domain leaves out', async () => {
  await using rig = await startRig('http');
  const { control, dns } = rig;
  await rig.share('login');
  await rig.claim(LOGIN_HOST, 'login');
  dns.zone.set(challengeName(LOGIN_HOST), [[challengeValue(control.alice.id, LOGIN_HOST)]]);
  await rig.verify(LOGIN_HOST);
  assert.notEqual(control.feed.findByHost(LOGIN_HOST), null);
  Object.assign(control.settings, { cookieDomain: 'share.example.com' });
  await control.feed.refreshProviders();
  assert.equal(control.feed.findByHost(LOGIN_HOST), null);
  assert.notEqual(control.feed.findByHost('login.share.example.com'), null);
});

test('a share answers at no host of its own that has become the name of a share', async () => {
  await using rig = await startRig();
  const { control, dns } = rig;
  await rig.share('demo');
  await rig.claim('wiki.share.example.org', 'demo');
  dns.zone.set(challengeName('wiki.share.example.org'), [
    [challengeValue(control.alice.id, 'wiki.share.example.org')],
  ]);
  await rig.verify('wiki.share.example.org');
  const [row] = await control.store.shares.all();
  assert.ok(row);
  const hostsUnder = (domain: string) =>
    routedShare(
      row,
      { base: { scheme: 'https', domain, port: 443 }, cookieDomain: 'example.org' },
      () => null,
    ).hosts;
  assert.deepEqual(hostsUnder('share.example.com'), ['demo.share.example.com', 'wiki.share.example.org']);
  assert.deepEqual(hostsUnder('share.example.org'), ['demo.share.example.org']);
});

test('what is no host of one’s own is refused', async () => {
  await using rig = await startRig();
  await rig.share('demo');
  const hosts = [
    'share.example.com',
    'other.share.example.com',
    'a.b.share.example.com',
    'auth.share.example.com',
    'control.example.net',
    '192.0.2.1',
    '0x7f.1',
    '2130706433',
    '::1',
    '[::1]',
    'localhost',
    'intranet',
    'com',
    'co.uk',
    'github.io',
    'App.customer.com',
    'app.customer.com.',
    'app.customer.com:443',
    '*.customer.com',
    'app..customer.com',
    '-app.customer.com',
    'app_1.customer.com',
    'bücher.example',
    'app.customer.c0m\u0000',
    'a@app.customer.com',
    'app.customer.1',
    `${'a'.repeat(64)}.customer.com`,
    `${'abcdefghi.'.repeat(24)}customer.com`,
    '',
  ];
  Object.assign(rig.control.settings, { ownHosts: ['auth.share.example.com', 'control.example.net'] });
  for (const host of hosts) {
    const { status, document } = await rig.claim(host, 'demo');
    assert.deepEqual([status, document['code']], [422, 'host_refused'], host);
  }
  for (const host of ['xn--bcher-kva.example', 'customer.com', 'a.b.c.customer.co.uk', 'app.localhost'])
    assert.equal((await rig.claim(host, 'demo')).status, 201, host);
});

test('a host that the operator grants is active at once, and its record is not looked for', async () => {
  await using rig = await startRig();
  const { control, dns } = rig;
  const { alice, mallory, store } = control;
  await rig.share('demo');
  await rig.share('theirs', mallory);
  await store.hosts.grant({ host: HOST, accountId: alice.id, createdAt: Date.now() });
  const { document } = await rig.claim(HOST, 'demo');
  assert.deepEqual([document['state'], document['proof']], ['active', 'operator']);
  assert.equal(control.feed.findByHost(HOST)?.name, 'demo');
  assert.deepEqual(dns.asked, []);
  await rig.claim(HOST, 'theirs', mallory);
  dns.zone.set(CHALLENGE, [[challengeValue(mallory.id, HOST)]]);
  assert.equal((await rig.verify(HOST, mallory)).document['code'], 'host_taken');
  await store.hosts.revoke(alice.id, HOST, Date.now());
  await control.feed.caughtUp();
  assert.equal(control.feed.findByHost(HOST), null);
});

test('a host goes with its share; a second claim of the account is told where it is', async () => {
  await using rig = await startRig();
  const { control } = rig;
  for (const name of ['demo', 'other']) await rig.share(name);
  await rig.claim(HOST, 'demo');
  assert.equal((await rig.claim(HOST, 'other')).document['code'], 'host_taken');
  await control.call({ method: 'DELETE', path: '/v1/shares/demo' });
  assert.equal((await control.call({ path: `/v1/hosts/${HOST}` })).status, 404);
  assert.equal((await rig.claim(HOST, 'other')).status, 201);
});

test('an account asks the DNS so often and then waits; another account’s turn is its own', async () => {
  await using rig = await startRig();
  const { control, dns } = rig;
  await rig.share('demo');
  await rig.share('theirs', control.mallory);
  await rig.claim(HOST, 'demo');
  await rig.claim(HOST, 'theirs', control.mallory);
  const answers = [];
  for (let count = 0; count < 21; count++) answers.push(await rig.verify(HOST));
  const limited = answers.at(-1);
  assert.deepEqual([limited?.status, limited?.document['code']], [429, 'rate_limited']);
  assert.ok(Number(limited?.headers.get('retry-after')) > 0);
  assert.equal(dns.asked.length, 20);
  assert.equal((await rig.verify(HOST, control.mallory)).document['code'], 'host_unproved');
});

test('createTxtLookup() says that a server that is away gave no answer', async () => {
  const dns = await startTxtServer();
  await dns[Symbol.asyncDispose]();
  const answer = await createTxtLookup([dns.address])('_doorward-challenge.app.customer.com');
  assert.equal(answer.kind, 'failed');
});
