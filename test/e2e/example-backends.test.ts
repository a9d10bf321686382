// The example backends as their readers run them: as processes, against the real key set and real assertions.

import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { LiveSession } from '../../src/domain/session.ts';
import { createAssertions } from '../../src/gateway/assertion.ts';
import { assertionKey, assertionKeySet } from '../../src/login/assertion-key.ts';
import { NO_GO } from '../support/go.ts';

const SIGNING_KEY = 'a signing key of the example tests, long enough';
const SHARE_URL = 'http://hello.share.localhost:8080';
/** A custom host of the same share. */
const CUSTOM_URL = 'https://hello.example.com';
const KEY = assertionKey(SIGNING_KEY);

let frontend: Server;
let loginUrl: string;
let folder: string;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'examples-'));
  frontend = createServer((request, response) => {
    if (request.url !== '/.well-known/jwks.json') return void response.writeHead(404).end();
    response.setHeader('content-type', 'application/jwk-set+json');
    return void response.end(
      JSON.stringify(assertionKeySet([{ signingKey: SIGNING_KEY, encryptionKey: '' }])),
    );
  });
  frontend.listen(0, '127.0.0.1');
  await once(frontend, 'listening');
  const address = frontend.address();
  assert.ok(address !== null && typeof address === 'object');
  // A name under localhost, as the quick start has it, which Node, Go and Python would ask the DNS for.
  loginUrl = `http://login.share.localhost:${address.port}`;
});

after(async () => {
  frontend.close();
  frontend.closeAllConnections();
  await rm(folder, { recursive: true });
});

test('examples/backend-node answers only with a valid assertion (5.2, DESIGN "Signed identity")', async () => {
  await judge(process.execPath, ['examples/backend-node/backend.mjs']);
});

test(
  'examples/backend-go answers only with a valid assertion (5.2, DESIGN "Signed identity")',
  { skip: NO_GO },
  async () => {
    const program = join(folder, 'backend');
    const built = spawnSync('go', ['build', '-o', program, '.'], {
      cwd: 'examples/backend-go',
      encoding: 'utf8',
    });
    assert.equal(built.status, 0, built.stderr);
    await judge(program, []);
  },
);

const hasPython = spawnSync('python3', ['-c', 'import cryptography']).status === 0;
test(
  'examples/backend-python answers only with a valid assertion (5.2, DESIGN "Signed identity")',
  { skip: !hasPython && 'python3 with cryptography is not installed' },
  async () => {
    await judge('python3', ['examples/backend-python/backend.py']);
  },
);

test('examples/backend-node answers 503 when the keys cannot be read (DESIGN "Gateways and store")', async () => {
  const backend = await start(process.execPath, ['examples/backend-node/backend.mjs'], 'http://127.0.0.1:1');
  try {
    assert.equal((await ask(backend.url, genuine())).status, 503);
  } finally {
    await backend.stop();
  }
});

async function judge(program: string, parameters: readonly string[]): Promise<void> {
  const backend = await start(program, parameters, loginUrl);
  try {
    const welcome = await ask(backend.url, genuine());
    assert.deepEqual(
      [welcome.status, await welcome.text()],
      [200, 'Hello ada@example.com, logged in at dev.\n'],
    );
    assert.equal((await ask(backend.url, genuine(Date.now(), CUSTOM_URL))).status, 200, 'a custom host');
    for (const [what, assertion] of Object.entries(forgeries()))
      assert.equal((await ask(backend.url, assertion)).status, 401, what);
    assert.equal((await ask(backend.url, genuine())).status, 200, 'still answers');
  } finally {
    await backend.stop();
  }
}

function genuine(at = Date.now(), audience = SHARE_URL): string {
  return createAssertions({ jwk: KEY, issuer: loginUrl })(
    { login: { session: SESSION, provider: 'dev' }, certificate: null, audience },
    at,
  );
}

function forgeries(): Readonly<Record<string, string | null>> {
  const [head = '', body = '', signature = ''] = genuine().split('.');
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
  const grace = encode({ ...claims, email: 'grace@example.com' });
  const foreign = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const header = { alg: 'ES256', typ: 'JWT', kid: KEY.kid };
  const jwk = foreign.publicKey.export({ format: 'jwk' });
  const own = createPrivateKey({ key: { ...KEY }, format: 'jwk' });
  return {
    none: null,
    empty: '',
    'not a token': 'hello',
    'another share': genuine(Date.now(), 'http://other.share.localhost:8080'),
    expired: genuine(Date.now() - 10 * 60_000),
    'changed body': `${head}.${grace}.${signature}`,
    'alg none': `${encode({ alg: 'none', kid: KEY.kid })}.${grace}.`,
    'alg none with a signature': `${encode({ alg: 'none', kid: KEY.kid })}.${body}.${signature}`,
    'alg HS256': `${encode({ ...header, alg: 'HS256' })}.${body}.${signature}`,
    'another alg, signed by the right key': signed(own, encode({ ...header, alg: 'RS256' }), body),
    'another key': signed(foreign.privateKey, encode(header), body),
    'a key of its own': signed(foreign.privateKey, encode({ ...header, jwk }), body),
    'an unknown key': signed(foreign.privateKey, encode({ ...header, kid: 'unknown' }), body),
    'another issuer': createAssertions({ jwk: KEY, issuer: 'http://evil.example' })(
      { login: { session: SESSION, provider: 'dev' }, certificate: null, audience: SHARE_URL },
      Date.now(),
    ),
    'a cut signature': `${head}.${body}.${signature.slice(0, 40)}`,
    'a body that is no object': `${head}.${encode(null)}.${signature}`,
  };
}

function signed(key: KeyObject, head: string, body: string): string {
  const signature = sign('sha256', Buffer.from(`${head}.${body}`), { key, dsaEncoding: 'ieee-p1363' });
  return `${head}.${body}.${signature.toString('base64url')}`;
}

async function start(program: string, parameters: readonly string[], login: string) {
  const env = {
    ...process.env,
    DOORWARD_LOGIN_URL: login,
    DOORWARD_SHARE_URL: `${SHARE_URL} ${CUSTOM_URL}/`,
    PORT: '0',
  };
  const child: ChildProcess = spawn(program, parameters, { env, stdio: ['ignore', 'pipe', 'ignore'] });
  assert.ok(child.stdout !== null);
  const lines = createInterface({ input: child.stdout });
  const ended = once(child, 'exit');
  const [line] = (await Promise.race([once(lines, 'line'), ended])) as [unknown];
  const url = /http:\S+/.exec(String(line))?.[0];
  assert.ok(url !== undefined, `the backend did not start: ${String(line)}`);
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL');
    await ended;
    lines.close();
  };
  return { url, stop };
}

function ask(url: string, assertion: string | null): Promise<Response> {
  return fetch(url, assertion === null ? {} : { headers: { 'svc-auth-assertion': assertion } });
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

const SESSION: LiveSession = {
  id: 'ses_00000000000000000000000001',
  shareId: 'shr_00000000000000000000000001',
  providerGeneration: 'g',
  email: 'ada@example.com',
  expiresAt: Date.now() + 60 * 60_000,
  bindingHash: null,
  subject: 'ada',
  checkedAt: Date.now(),
  refreshable: false,
  confirmed: true,
  ended: false,
};
