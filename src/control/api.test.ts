// What holds for every call: keys, tenancy, media types, limits, methods, problem documents; through real
// HTTP.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, before, describe, test } from 'node:test';
import * as fc from 'fast-check';
import { newApiKey } from '../domain/api-key.ts';
import { startControl, type TestCall, type TestControl } from '../../test/support/control.ts';

describe('control API', () => {
  let control: TestControl;
  let shareId = '';
  before(async () => {
    control = await startControl();
    const made = await control.call({
      path: '/v1/shares',
      json: { name: 'demo', target: 'http://127.0.0.1:3000', open: true },
    });
    shareId = String(made.document['id']);
  });
  after(() => control[Symbol.asyncDispose]());

  const post = (body: string | Uint8Array<ArrayBuffer>, type = 'application/json') =>
    control.call({ path: '/v1/shares', body, headers: { 'content-type': type } });

  test('every call needs a key, and says so in a problem document (DESIGN 2.5, RFC 9457)', async () => {
    for (const path of ['/v1/shares', '/v1/shares/demo', '/v1/audit-events', '/v1/nothing', '/v1']) {
      const answer = await control.call({ path, as: null });
      assert.deepEqual([answer.status, answer.document['code']], [401, 'api_key_missing'], path);
      assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/);
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
      assert.equal(answer.headers.get('cache-control'), 'no-store');
      assert.equal(answer.document['request_id'], answer.headers.get('x-request-id'));
    }
  });

  test('an unknown share of another account reads as unknown in every operation (THREATS "Tenancy")', async () => {
    const { mallory } = control;
    for (const named of ['demo', shareId]) {
      const path = `/v1/shares/${named}`;
      const etag = `"${shareId}.1"`;
      const calls: TestCall[] = [
        { path },
        { path, method: 'HEAD' },
        { path, method: 'PATCH', json: { enabled: false } },
        { path, method: 'PATCH', json: { enabled: false }, headers: { 'if-match': etag } },
        { path, method: 'PATCH', json: { enabled: false }, headers: { 'if-match': '*' } },
        { path, method: 'DELETE' },
        { path, method: 'DELETE', headers: { 'if-match': etag } },
      ];
      for (const call of calls) {
        const theirs = await control.call({ ...call, as: mallory });
        const nobodys = await control.call({
          ...call,
          path: path.replace('demo', 'nope').replace(shareId, `shr_${'0'.repeat(26)}`),
          as: mallory,
        });
        assert.equal(theirs.status, 404);
        assert.equal(theirs.document['code'], nobodys.document['code']);
        if (call.method !== 'HEAD') assert.equal(theirs.document['code'], 'share_unknown');
      }
    }
    for (const path of ['/v1/shares', '/v1/audit-events'])
      assert.deepEqual((await control.call({ path, as: mallory })).document['items'], []);
    const taken = await control.call({
      path: '/v1/shares',
      as: mallory,
      json: { name: 'demo', target: 'http://127.0.0.1:3000', open: true },
    });
    assert.equal(taken.document['code'], 'name_taken');
    assert.equal((await control.call({ path: `/v1/shares/${shareId}` })).document['enabled'], true);
  });

  test('a name never passes to another account (DESIGN 2.3)', async () => {
    const json = { name: 'freed', target: 'http://127.0.0.1:3000', open: true };
    await control.call({ path: '/v1/shares', json });
    await control.call({ path: '/v1/shares/freed', method: 'DELETE' });
    const taken = await control.call({ path: '/v1/shares', json, as: control.mallory });
    assert.equal(taken.document['code'], 'name_taken');
    assert.equal((await control.call({ path: '/v1/shares', json })).status, 201);
  });

  test('a body is JSON in UTF-8 of at most 64 KiB (DESIGN 2.5)', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', ''])
      assert.equal((await post('{}', type)).document['code'], 'unsupported_media_type', type);
    for (const body of ['{', '', 'name=x', new Uint8Array([0x22, 0xff, 0x22]), '[1,]'])
      assert.equal((await post(body)).document['code'], 'bad_request');
    const large = await post(JSON.stringify({ name: 'x'.repeat(64 * 1024) }));
    assert.deepEqual([large.status, large.document['code']], [413, 'body_too_large']);
    assert.equal((await post('['.repeat(60_000))).status, 400);
    assert.equal((await post(`${'['.repeat(30_000)}${']'.repeat(30_000)}`)).status, 422);
  });

  test('an endless body is refused while it arrives (THREATS "Exhaustion")', async () => {
    const status = await new Promise<number | undefined>((resolve, reject) => {
      const call = request(new URL('/v1/shares', control.url), {
        method: 'POST',
        headers: {
          authorization: `Bearer ${control.alice.apiKey.reveal()}`,
          'content-type': 'application/json',
        },
      });
      call.on('error', reject);
      call.on('response', (answer) => {
        resolve(answer.statusCode);
        call.destroy();
      });
      // More than the limit, and no end.
      call.write(Buffer.alloc(80 * 1024, 0x20));
    });
    assert.equal(status, 413);
  });

  test('a refusal arrives also while much more is being sent (RFC 9112 section 9.6)', async () => {
    for (let round = 0; round < 5; round++) {
      const answer = await post(new Uint8Array(2 * 1024 * 1024));
      assert.deepEqual([answer.status, answer.document['code']], [413, 'body_too_large']);
    }
  });

  test('unknown fields are refused with their path, all faults at once (DESIGN 2.5)', async () => {
    const answer = await control.call({
      path: '/v1/shares',
      body: '{"name":1,"target":"http://127.0.0.1:1","hosts":[],"__proto__":{},"oauthEmailAddressPatterns":["a",2]}',
    });
    assert.equal(answer.status, 422);
    const paths = (answer.document['faults'] as { path: string }[]).map((fault) => fault.path);
    assert.deepEqual(paths.toSorted(), ['__proto__', 'hosts', 'name', 'oauthEmailAddressPatterns.1']);
    const immutable = await control.call({
      path: '/v1/shares/demo',
      method: 'PATCH',
      json: { name: 'other' },
    });
    assert.deepEqual(immutable.document['faults'], [{ path: 'name', message: 'there is no such field' }]);
  });

  test('a known path with another method is 405 and says which it has (RFC 9110 section 15.5.6)', async () => {
    const answer = await control.call({ path: '/v1/shares/demo', method: 'PUT', json: {} });
    assert.deepEqual([answer.status, answer.document['code']], [405, 'method_not_allowed']);
    assert.equal(answer.headers.get('allow'), 'DELETE, GET, HEAD, PATCH');
    assert.equal((await control.call({ path: '/v1/shares', method: 'DELETE' })).status, 405);
    for (const [method, path] of [
      ['PATCH', '/v1/shares'],
      ['POST', '/v1/shares/demo'],
    ] as const) {
      // Without a body, and with one that is no JSON: it is not looked at.
      for (const body of [{}, { body: 'x', headers: { 'content-type': 'text/plain' } }])
        assert.equal((await control.call({ path, method, ...body })).status, 405, `${method} ${path}`);
    }
    assert.equal((await control.call({ path: '/v1/nothing', method: 'POST' })).status, 404);
    // fetch would not send it.
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const headers = { authorization: `Bearer ${control.alice.apiKey.reveal()}` };
    request(new URL('/v1/shares', control.url), { method: 'TRACE', headers })
      .on('response', (trace) => resolve([trace.resume().statusCode, trace.headers.allow]))
      .on('error', reject)
      .end();
    assert.deepEqual(await promise, [405, 'GET, HEAD, POST']);
    for (const path of ['/v1/nothing', '/nothing', '/v1/shares/demo/more', '//v1/shares'])
      assert.equal((await control.call({ path })).document['code'], 'not_found', path);
  });

  test('HEAD is GET without its body (RFC 9110 section 9.3.2)', async () => {
    const answer = await control.call({ path: '/v1/shares/demo', method: 'HEAD' });
    assert.equal(answer.status, 200);
    assert.equal(answer.headers.get('etag'), `"${shareId}.1"`);
  });

  test('/openapi.json describes every operation in OpenAPI 3.1, to anybody (DESIGN 2.5)', async () => {
    const { document } = await control.call({ path: '/openapi.json', as: null });
    assert.equal(document['openapi'], '3.1.0');
    const paths = document['paths'] as Record<string, object>;
    // That it is every operation is in authorize.test.ts.
    assert.deepEqual(Object.keys(paths['/v1/shares/{share}'] ?? {}).toSorted(), ['delete', 'get', 'patch']);
    for (const method of Object.values(paths).flatMap((methods) => Object.values(methods)))
      assert.ok(Object.hasOwn((method as { responses: object }).responses, '401'));
  });

  test('no JSON body is ever answered with 5xx (issue: bad input of any kind)', async () => {
    const field = fc.constantFrom(
      'name',
      'target',
      'oauthProvider',
      'oauthEmailAddressPatterns',
      'allowOrigins',
    );
    const likely = fc.dictionary(
      fc.oneof(field, fc.constantFrom('oauthCheckInterval', 'enabled', '__proto__', 'x')),
      fc.oneof(
        fc.jsonValue({ maxDepth: 3 }),
        fc.constantFrom('test', 'http://127.0.0.1:1', 'http://a', '3h', ['[']),
      ),
    );
    await fc.assert(
      fc.asyncProperty(fc.oneof(likely, fc.jsonValue()), fc.boolean(), async (json, isNew) => {
        const call = isNew ? { path: '/v1/shares' } : { path: '/v1/shares/demo', method: 'PATCH' };
        const answer = await control.call({ ...call, json: json ?? null });
        assert.ok(answer.status < 500, `${answer.status} for ${JSON.stringify(json)}`);
      }),
      { numRuns: 150 },
    );
  });

  test('no path, query or header value is ever answered with 5xx (issue: bad input of any kind)', async () => {
    await fc.assert(
      fc.asyncProperty(fc.webPath(), fc.webQueryParameters(), fc.string(), async (path, query, text) => {
        const tag = text.replaceAll(/[^\x21-\x7E]/g, '');
        // Each on a connection of its own: one that was idle while the machine was busy may just be closing.
        const headers = { 'if-match': tag, 'x-any': tag, connection: 'close' };
        for (const start of ['', '/v1', '/v1/shares'])
          for (const method of ['GET', 'DELETE']) {
            const answer = await control.call({ path: `${start}${path}?${query}`, method, headers });
            assert.ok(answer.status < 500, `${answer.status} for ${start}${path}?${query}`);
          }
      }),
      { numRuns: 40 },
    );
  });
});

test('failed keys are limited per address, and a valid one never is (DESIGN "Rate limits")', async () => {
  await using control = await startControl();
  const wrong = { id: control.alice.id, apiKey: newApiKey() };
  const statuses: number[] = [];
  for (let failure = 0; failure < 12; failure++) {
    const answer = await control.call({ path: '/v1/shares', as: wrong });
    statuses.push(answer.status);
    if (answer.status === 429) {
      assert.equal(answer.document['code'], 'rate_limited');
      const seconds = Number(answer.headers.get('retry-after'));
      assert.ok(seconds > 0 && seconds <= 60);
    }
  }
  assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429, 429]);
  assert.equal((await control.call({ path: '/v1/shares' })).status, 200);
});

test('a suspended account’s key opens nothing (DESIGN 2.5)', async () => {
  await using control = await startControl();
  await control.store.accounts.suspend(control.alice.id, true);
  const answer = await control.call({ path: '/v1/shares' });
  assert.deepEqual([answer.status, answer.document['code']], [403, 'not_allowed']);
});

test('the use of a key is written down at most once a minute (DESIGN 2.5)', async () => {
  await using control = await startControl();
  await control.call({ path: '/v1/shares' });
  await control.call({ path: '/v1/shares' });
  assert.deepEqual(control.log, []);
});

test('a store that does not answer is 503 with Retry-After, and is logged (DESIGN 3)', async () => {
  const control = await startControl();
  await control.feed.stop();
  await control.store.close();
  const answer = await control.call({ path: '/v1/shares' });
  assert.deepEqual([answer.status, answer.document['code']], [503, 'store_unavailable']);
  assert.ok(answer.headers.has('retry-after'));
  assert.ok(control.log.includes('error Cannot answer a call'));
  await control[Symbol.asyncDispose]();
});

test('a change that is kept but cannot be confirmed as live is 503 and says so (DESIGN 2.5)', async () => {
  await using control = await startControl();
  const since = control.store.changes.since;
  Object.assign(control.store.changes, { since: () => Promise.reject(new Error('away')) });
  const json = { name: 'kept', target: 'http://127.0.0.1:3000', open: true };
  const answer = await control.call({ path: '/v1/shares', json });
  assert.deepEqual([answer.status, answer.document['stored']], [503, true]);
  assert.doesNotMatch(JSON.stringify(answer.document), /away/);
  Object.assign(control.store.changes, { since });
  assert.equal((await control.call({ path: '/v1/shares/kept' })).status, 200);
});
