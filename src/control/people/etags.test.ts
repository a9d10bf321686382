// ETag and If-Match of members and API keys: nobody's change is lost to another administrator's (DESIGN 2.5).

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import {
  startControl,
  type TestAnswer,
  type TestCall,
  type TestControl,
} from '../../../test/support/control.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

function call(method: string, path: string, rest: Partial<TestCall> = {}): Promise<TestAnswer> {
  return control.call({ method, path, ...rest });
}

async function etagOf(path: string): Promise<string> {
  const answer = await call('GET', path);
  assert.equal(answer.status, 200, JSON.stringify(answer.document));
  return answer.headers.get('etag') ?? assert.fail('no ETag');
}

async function invite(email: string): Promise<string> {
  assert.equal((await call('POST', '/v1/members', { json: { email } })).status, 201);
  return `/v1/members/${email}`;
}

function assertStale({ status, document }: TestAnswer): void {
  assert.deepEqual([status, document['code']], [412, 'precondition_failed']);
}

test('a member’s ETag names what it is; each change, deletion and invitation can be held against it', async () => {
  const path = await invite('ann@example.com');
  const first = await etagOf(path);
  assert.match(first, /^"mem_[a-z0-9]{26}\.[\w-]{22}"$/);
  const shown = await call('GET', path);
  assert.deepEqual([shown.document['email'], shown.document['role']], ['ann@example.com', 'member']);
  const changed = await call('PATCH', path, { json: { role: 'admin' }, headers: { 'if-match': first } });
  assert.equal(changed.status, 200);
  const second = changed.headers.get('etag') ?? '';
  assert.deepEqual([second === first, await etagOf(path)], [false, second]);
  const stale = { headers: { 'if-match': first } };
  assertStale(await call('PATCH', path, { json: { role: 'member' }, ...stale }));
  assertStale(await call('DELETE', path, stale));
  assertStale(await call('POST', `${path}/invitation`, { json: {}, ...stale }));
  assert.equal((await call('GET', path)).document['role'], 'admin');
  assert.equal(await etagOf(path), second);
  const invited = await call('POST', `${path}/invitation`, {
    json: { expiresIn: '2d' },
    headers: { 'if-match': second },
  });
  assert.equal(invited.status, 201);
  const third = invited.headers.get('etag') ?? '';
  assertStale(await call('DELETE', path, { headers: { 'if-match': second } }));
  assert.equal((await call('DELETE', path, { headers: { 'if-match': `"x", ${third}` } })).status, 204);
});

test('without If-Match, and with *, a member is changed as it is; the weak form never matches', async () => {
  const path = await invite('bob@example.com');
  const etag = await etagOf(path);
  for (const [header, role] of [
    [undefined, 'admin'],
    ['*', 'member'],
  ] as const) {
    const headers = header === undefined ? {} : { 'if-match': header };
    assert.equal((await call('PATCH', path, { json: { role }, headers })).status, 200);
  }
  // What it was before is what it is again.
  assert.equal(await etagOf(path), etag);
  assertStale(await call('DELETE', path, { headers: { 'if-match': `W/${etag}` } }));
});

test('of many that saw the same member one wins', async () => {
  const path = await invite('carol@example.com');
  const headers = { 'if-match': await etagOf(path) };
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => call('PATCH', path, { json: { role: 'admin' }, headers })),
  );
  assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 412, 412, 412, 412, 412]);
});

test('an API key’s ETag tells it from one made again under its name', async () => {
  const make = () => call('POST', '/v1/api-keys', { json: { name: 'ci', scope: 'read' } });
  const former = await make();
  const etag = former.headers.get('etag') ?? '';
  assert.equal(etag, await etagOf('/v1/api-keys/ci'));
  const shown = await call('GET', `/v1/api-keys/${String(former.document['id'])}`);
  const { key, ...object } = former.document;
  assert.deepEqual(shown.document, object);
  assert.match(String(key), /^dw_/);
  assert.equal((await call('DELETE', '/v1/api-keys/ci')).status, 204);
  await make();
  assertStale(await call('DELETE', '/v1/api-keys/ci', { headers: { 'if-match': etag } }));
  const now = { 'if-match': await etagOf('/v1/api-keys/ci') };
  assert.equal((await call('DELETE', '/v1/api-keys/ci', { headers: now })).status, 204);
  assert.equal((await call('GET', '/v1/api-keys/ci')).document['code'], 'api_key_unknown');
});
