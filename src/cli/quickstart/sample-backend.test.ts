import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { type SampleBackend, startSampleBackend } from './sample-backend.ts';

const SHARE_URL = 'http://hello.share.localhost:8080';
const keys = await generateKeyPair('ES256');

let frontend: Server;
let sample: SampleBackend;
let asked: string | undefined;

before(async () => {
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'a', alg: 'ES256' };
  frontend = createServer((request, response) => {
    asked = request.headers.host;
    response.end(JSON.stringify({ keys: [jwk] }));
  });
  frontend.listen(0, '127.0.0.1');
  await once(frontend, 'listening');
  const address = frontend.address();
  assert.ok(address !== null && typeof address === 'object');
  const loginUrl = `http://login.share.localhost:${address.port}`;
  sample = await startSampleBackend({ port: 0, shareUrl: SHARE_URL, loginUrl });
});

after(async () => {
  await sample.close();
  frontend.close();
  frontend.closeAllConnections();
});

test('startSampleBackend() shows programs the headers it got, as JSON (2.6, quick start)', async () => {
  const response = await ask({
    'svc-auth-email': 'ada@example.com',
    'svc-auth-assertion': await assertion(),
  });
  const seen = (await response.json()) as Seen;
  assert.equal(seen.headers['svc-auth-email'], 'ada@example.com');
  assert.equal(seen.url, '/path?a=b');
  assert.equal(seen.assertion.verified, true);
  assert.match(String(asked), /^login\.share\.localhost:/);
});

test('startSampleBackend() shows people a page, every value escaped (THREATS "Pages")', async () => {
  const headers = {
    accept: 'text/html',
    'svc-auth-email': 'ada@example.com',
    'x-odd': '<script>alert(1)</script>',
  };
  const response = await ask({ ...headers, 'svc-auth-assertion': await assertion() });
  const text = await response.text();
  assert.match(text, /<h1>Hello ada@example\.com<\/h1>/);
  assert.match(text, /verified with the public keys/);
  assert.match(text, /href="\/\.svc\/logout"/);
  assert.doesNotMatch(text, /<script/);
});

test('startSampleBackend() says when the assertion is missing or of another share (5.2)', async () => {
  for (const value of [null, 'nonsense', await assertion('http://other.share.localhost:8080')]) {
    const response = await ask(value === null ? {} : { 'svc-auth-assertion': value });
    const seen = (await response.json()) as Seen;
    assert.equal(seen.assertion.verified, false);
  }
});

type Seen = {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly assertion: { readonly verified: boolean };
};

function ask(headers: Record<string, string>): Promise<Response> {
  return fetch(`http://127.0.0.1:${sample.port}/path?a=b`, { headers });
}

function assertion(audience = SHARE_URL): Promise<string> {
  return new SignJWT({ email: 'ada@example.com' })
    .setProtectedHeader({ alg: 'ES256', kid: 'a' })
    .setAudience(audience)
    .setExpirationTime('5m')
    .sign(keys.privateKey);
}
