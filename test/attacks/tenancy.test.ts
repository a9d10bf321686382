// THREATS "Tenancy": an account reads, changes, deletes and uses its own, and cannot tell another's from what
// never was. Two accounts in one running service: `acme`, whose share is attacked, and `mallory`, who has a
// key of her own.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { ShareObject } from '../../src/wire/share.ts';
import { walkLogin } from '../support/browser-by-hand.ts';
import type { Echo } from '../support/echo-backend.ts';
import { callGate, type TestAnswer } from '../support/gate.ts';
import { addAccount, startTestService, type TestService } from '../support/service.ts';

let service: TestService;
let share: ShareObject;
let mallory: string;

before(async () => {
  service = await startTestService();
  mallory = (await addAccount(service.config, 'mallory', 'm@evil.test')).reveal();
  await service.share('secret', { oauthEmailAddressPatterns: ['*@acme.test'] });
  share = await service.client.shares.show('secret');
});
after(() => service.close());

type Call = {
  readonly method?: string;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly key?: string;
};

async function call(path: string, { method = 'GET', json, headers = {}, key = mallory }: Call = {}) {
  const answer = await callGate(service.ports.control, {
    host: 'control',
    path,
    method,
    headers: {
      authorization: `Bearer ${key}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  return {
    ...answer,
    document: (answer.body.startsWith('{') ? JSON.parse(answer.body) : {}) as Record<string, unknown>,
  };
}

/** All that differs between asking for another's and for nothing is what was asked for. */
function withoutNames(answer: TestAnswer, names: readonly string[]): unknown {
  const body = names
    .reduce((text, name) => text.replaceAll(name, 'NAME'), answer.body)
    .replace(/"request_id":"[^"]*"/, '');
  return [answer.status, body, answer.headers.etag];
}

describe('Tenancy: the control API', () => {
  test('reads, changes and deletes nothing of another account, by name or by id, and says what it says of nothing', async () => {
    const calls: readonly Call[] = [
      {},
      { method: 'HEAD' },
      { method: 'PATCH', json: { enabled: false } },
      { method: 'PATCH', json: { oauthProvider: null } },
      { method: 'PATCH', json: { target: service.backend.url }, headers: { 'if-match': '*' } },
      { method: 'PATCH', json: {}, headers: { 'if-match': `"${share.id}.1"` } },
      { method: 'DELETE' },
      { method: 'DELETE', headers: { 'if-match': `"${share.id}.1"` } },
    ];
    const nothing = { name: 'nothing', id: `shr_${'0'.repeat(share.id.length - 4)}` };
    for (const each of calls)
      for (const [named, other] of [
        [share.name, nothing.name],
        [share.id, nothing.id],
      ] as const) {
        const theirs = await call(`/v1/shares/${named}`, each);
        const none = await call(`/v1/shares/${other}`, each);
        assert.equal(theirs.status, 404, `${each.method} ${named}`);
        assert.deepEqual(
          withoutNames(theirs, [named]),
          withoutNames(none, [other]),
          `${each.method} ${named}`,
        );
      }
    assert.deepEqual(await service.client.shares.show('secret'), share);
  });

  test('lists nothing of another account, from whatever place in the list', async () => {
    for (const after_ of ['', 'a', 'secreu', 'secres', '0', share.id, share.name])
      for (const path of ['/v1/shares', '/v1/audit-events', '/v1/auth-providers']) {
        const cursor = after_ === '' ? '' : `&cursor=${Buffer.from(after_).toString('base64url')}`;
        const { body, status } = await call(`${path}?limit=200${cursor}`);
        assert.ok(status === 200 || status === 422 || status === 404, `${path} ${status}`);
        // The share's name; `"secrets":` is a member of what an event changed.
        assert.doesNotMatch(body, new RegExp(`secret(?!s":)|acme|${share.id}`), path);
      }
    for (const query of [
      'accountId=acme',
      'account=acme',
      'all=true',
      'limit=201',
      'limit=-1',
      'cursor=%00',
      'cursor[]=x',
      'limit=1&limit=2',
    ])
      assert.ok((await call(`/v1/shares?${query}`)).status >= 400, query);
  });

  test('takes no name of another account, not even one that is free again, and no name of the service', async () => {
    const create = (name: string) =>
      call('/v1/shares', { method: 'POST', json: { name, target: service.backend.url, open: true } });
    const taken = await create('secret');
    assert.deepEqual([taken.status, taken.document['code']], [409, 'name_taken']);
    assert.doesNotMatch(taken.body, /acme|acc_|shr_/);
    await service.share('freed');
    await service.client.shares.remove('freed');
    assert.equal((await create('freed')).document['code'], 'name_taken');
    for (const name of [
      'login',
      'Login',
      'SECRET',
      'secret.',
      'secret.share.localhost',
      'a.b',
      '*',
      '',
      '-a',
      'a-',
      'xn--a',
      'a_b',
      'a/b',
      '..',
      'localhost:80',
      'a\0',
      'ⓢecret',
      'secret ',
      'a'.repeat(41),
    ])
      assert.equal((await create(name)).status, 422, name);
  });

  test('writes no field that is not the caller’s to choose', async () => {
    const extra = {
      accountId: 'acc_x',
      account: 'acme',
      id: share.id,
      hosts: ['secret.share.localhost'],
      url: share.url,
      version: 9,
      createdAt: '2020-01-01T00:00:00Z',
      ['__proto__']: { enabled: false },
      constructor: { prototype: {} },
    };
    for (const [name, value] of Object.entries(extra)) {
      const json = JSON.parse(
        `{"name":"fields","open":true,"target":"${service.backend.url}","${name}":${JSON.stringify(value)}}`,
      ) as unknown;
      const { status } = await call('/v1/shares', { method: 'POST', json });
      assert.equal(status, 422, name);
    }
    const proto = await callGate(service.ports.control, {
      host: 'x',
      method: 'POST',
      path: '/v1/shares',
      headers: { authorization: `Bearer ${mallory}`, 'content-type': 'application/json' },
      body: `{"name":"proto","target":"${service.backend.url}","__proto__":{"enabled":false,"oauthProvider":"corp"}}`,
    });
    assert.ok(proto.status === 422 || (JSON.parse(proto.body) as ShareObject).enabled);
    assert.equal(({} as Record<string, unknown>)['enabled'], undefined);
  });

  test('is opened by a whole, known key in its one place, and by nothing else', async () => {
    const key = service.apiKey;
    for (const authorization of [
      '',
      key,
      `Basic ${key}`,
      `Bearer`,
      `Bearer `,
      `Bearer ${key}x`,
      `Bearer ${key.slice(0, -1)}`,
      `Bearer ${key.toUpperCase()}`,
      `Bearer ${key} x`,
      `Bearer ${key}, Bearer ${mallory}`,
      `Bearer "${key}"`,
      `Bearer ${Buffer.from(key).toString('base64')}`,
    ])
      assert.ok(
        [401, 429].includes((await call('/v1/shares', { headers: { authorization } })).status),
        authorization,
      );
    for (const headers of [
      { cookie: `api_key=${key}` },
      { 'x-api-key': key },
      { 'proxy-authorization': `Bearer ${key}` },
    ]) {
      const { status } = await callGate(service.ports.control, {
        host: 'x',
        path: `/v1/shares?api_key=${key}&access_token=${key}`,
        headers,
      });
      assert.ok([401, 429].includes(status), `${status}`);
    }
    assert.equal((await call('/v1/shares', { key })).status, 200, 'failures of others block no good key');
  });
});

describe('Tenancy: visitors', () => {
  test('a visitor of two accounts’ shares gives neither the other’s session, cookie or assertion', async () => {
    const theirs = await call('/v1/shares', {
      method: 'POST',
      json: { name: 'bait', target: service.backend.url, oauthProvider: 'corp' },
    });
    assert.equal(theirs.status, 201, theirs.body);
    const bait = theirs.document as ShareObject;
    const browser = service.browser();
    const one = await walkLogin(browser, share.url, { email: 'ada@acme.test' });
    assert.equal(one.last.status, 200);
    assert.equal((await browser.open(bait.url)).status, 302, 'the session is not for it');
    const { last } = await walkLogin(browser, bait.url, { email: 'ada@acme.test' });
    const seen = JSON.parse(last.body) as Echo;
    assert.doesNotMatch(String(seen.headers.cookie), /svc-auth/);
    const claims = JSON.parse(
      Buffer.from(String(seen.headers['svc-auth-assertion']).split('.')[1] ?? '', 'base64url').toString(),
    ) as { aud: string };
    assert.equal(claims.aud, bait.url, 'an assertion is for the share that got it');
    // What mallory's backend was given opens nothing at acme's share.
    const stolen = {
      'svc-auth-email': 'ada@acme.test',
      'svc-auth-assertion': String(seen.headers['svc-auth-assertion']),
      authorization: `Bearer ${String(seen.headers['svc-auth-assertion'])}`,
    };
    assert.equal(
      (await callGate(service.ports.gateway, { host: new URL(share.url).host, headers: stolen })).status,
      302,
    );
  });

  test('a share leads to no listener of the service, whichever account makes it', async () => {
    for (const [name, port] of Object.entries(service.ports))
      for (const host of ['127.0.0.1', '[::ffff:127.0.0.1]', '127.1', '0.0.0.0']) {
        const { status } = await call('/v1/shares', {
          method: 'POST',
          json: { name: `to-${name}`, target: `http://${host}:${port}`, open: true },
        });
        assert.equal(status, 422, `${host} ${name}`);
      }
  });
});
