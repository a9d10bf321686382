// The console's own safety: its cookie is good for its own pages at its own host alone, whatever pages of
// other sites, of sibling shares, frames and rebound names send with it. What a page can send, header by
// header as browsers write it.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { DatabaseSync } from 'node:sqlite';
import { after, before, test } from 'node:test';
import { type BrowserAnswer, createBrowser } from '../support/browser-by-hand.ts';
import { startControl, type TestControl } from '../support/control.ts';
import { addThings, callOf, operations, type Things } from '../support/operations.ts';
import { startTestService } from '../support/service.ts';

const OWN = 'https://control.share.example.com';
const SIBLING = 'https://evil.share.example.com';

let control: TestControl;
let things: Things;
let cookie = '';
before(async () => {
  control = await startControl();
  // Beside its shares, where it should not be; TLS ends before it.
  Object.assign(control.settings.console, { publicUrl: new URL(OWN) });
  things = await addThings(control);
  cookie = await logIn();
});
after(() => control[Symbol.asyncDispose]());

test('the session is in a cookie of this very host, that no script reads and no sibling can plant', async () => {
  const answer = await send('/auth/key', { body: keyBody(), cookie: null });
  const [line = '', ...more] = answer.setCookies;
  assert.match(
    line,
    /^__Host-svc-control=[\w-]{22}; Path=\/; Max-Age=43200; HttpOnly; SameSite=Lax; Secure$/,
  );
  assert.deepEqual(more, []);
  const token = /=([\w-]{22});/.exec(line)?.[1] ?? '';
  const read = async (header: string) => (await get('/v1/shares', { cookie: header })).status;
  // Without the prefix any host of the domain could have set it.
  assert.deepEqual(
    [
      await read(`__Host-svc-control=${token}`),
      await read(`svc-control=${token}`),
      await read(`__host-svc-control=${token}`),
      await read(`svc-control=${'A'.repeat(22)}; __Host-svc-control=${token}`),
      await read(`__Secure-svc-control=${token}`),
    ],
    [200, 401, 401, 200, 401],
  );
  const login = await get('/auth/login?provider=test', { cookie: `svc-control-bind=${'A'.repeat(22)}` });
  assert.match(login.setCookies.join(), /^__Host-svc-control-bind=(?!A{22})[\w-]{22}; Path=\/;.* Secure$/);
});

test('each unsafe call needs the console’s own Origin and JSON, and nothing is done without (each operation)', async () => {
  const kept = dump();
  const wrong: readonly (readonly [headers: Readonly<Record<string, string | undefined>>, codes: RegExp])[] =
    [
      [{ origin: undefined }, /^foreign_origin$/],
      [{ origin: 'null' }, /^foreign_origin$/],
      [{ origin: SIBLING }, /^foreign_origin$/],
      [{ origin: `${OWN}.evil.example` }, /^foreign_origin$/],
      [{ origin: OWN.replace('https:', 'http:') }, /^foreign_origin$/],
      [{ origin: `${OWN}:8443` }, /^foreign_origin$/],
      [{ 'sec-fetch-site': 'cross-site' }, /^foreign_origin$/],
      [{ 'sec-fetch-site': 'same-site' }, /^foreign_origin$/],
      [{ 'content-type': 'text/plain' }, /^unsupported_media_type$/],
      [{ 'content-type': 'application/x-www-form-urlencoded' }, /^unsupported_media_type$/],
      [{ 'content-type': 'multipart/form-data; boundary=x' }, /^unsupported_media_type$/],
      [{ 'content-type': 'text/plain; application/json' }, /^unsupported_media_type$/],
      [{ 'content-type': undefined }, /^unsupported_media_type$/],
      [{ host: 'rebound.example.net' }, /^misdirected$/],
      [{ host: 'control.share.example.com.' }, /^misdirected$/],
      [{ host: 'evil.share.example.com' }, /^misdirected$/],
      [{ host: 'control.share.example.com:8443' }, /^misdirected$/],
    ];
  const unsafe = operations().filter(({ method, id }) => method !== 'GET' && !PUBLIC.has(id));
  assert.ok(unsafe.length > 20);
  for (const operation of unsafe) {
    const { method = 'POST', path, json } = callOf(operation, nameFor(operation.parameter));
    for (const [headers, codes] of wrong) {
      const answer = await send(path, {
        method,
        headers,
        body: json === undefined ? '' : JSON.stringify(json),
      });
      assert.ok(answer.status >= 400, `${method} ${path}`);
      assert.match(codeOf(answer), codes, `${method} ${path} ${JSON.stringify(headers)}`);
    }
  }
  for (const path of ['/auth/key', '/auth/logout', '/auth/account'])
    for (const [headers, codes] of wrong) {
      const answer = await send(path, { headers, body: keyBody() });
      assert.match(codeOf(answer), codes, `${path} ${JSON.stringify(headers)}`);
      assert.deepEqual(answer.setCookies, []);
    }
  assert.deepEqual(dump(), kept);
});

test('what another site’s page reads is refused, and no answer lets it be read (CORS)', async () => {
  const reads = operations().filter(({ method, id }) => method === 'GET' && !PUBLIC.has(id));
  for (const operation of reads) {
    const { path } = callOf(operation, nameFor(operation.parameter));
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: SIBLING },
    ]) {
      const answer = await get(path, { headers });
      assert.deepEqual([answer.status, codeOf(answer)], [403, 'foreign_origin'], path);
    }
  }
  const preflight = {
    origin: SIBLING,
    'access-control-request-method': 'DELETE',
    'access-control-request-headers': 'content-type',
    'access-control-request-private-network': 'true',
  };
  for (const path of [
    '/v1/shares',
    '/v1/me/sessions',
    '/auth/key',
    '/auth/session',
    '/console/',
    '/openapi.json',
  ])
    for (const method of ['OPTIONS', 'GET', 'POST']) {
      const answer = await send(path, { method, headers: { ...preflight, host: HOST }, body: '{}' });
      assert.ok(method !== 'OPTIONS' || answer.status >= 400, `${method} ${path}`);
      for (const name of Object.keys(answer.headers)) assert.doesNotMatch(name, /^access-control-/);
      assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin', `${method} ${path}`);
    }
});

test('reading changes nothing, whatever reads (each GET, and HEAD)', async () => {
  // A revocation list is made when it is first asked for, and kept until it is due.
  await get('/v1/account-ca');
  const kept = dump();
  // One that goes on answering until nobody listens is no answer to wait for.
  const reads = operations().filter(({ method, id }) => method === 'GET' && id !== 'watchShareRequests');
  for (const operation of reads) {
    const { path } = callOf(operation, nameFor(operation.parameter));
    // Words that some servers take for another method.
    const headers = { 'x-http-method-override': 'DELETE', 'x-method-override': 'DELETE' };
    for (const method of ['GET', 'HEAD'])
      await send(`${path}${path.includes('?') ? '&' : '?'}_method=DELETE`, { method, headers });
    await get(path, { headers });
  }
  for (const path of [
    '/auth/session',
    '/auth/providers',
    '/auth/logout',
    '/auth/key',
    '/auth/login?provider=test',
    '/console/',
  ])
    await get(path);
  assert.deepEqual(dump(), kept);
  assert.equal((await get('/v1/shares')).status, 200);
});

test('the page frames nowhere, runs its own files alone, and names no other host', async () => {
  const answer = await get('/console/');
  assert.equal(
    answer.headers['content-security-policy'],
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; form-action 'none'; frame-ancestors 'none'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'",
  );
  assert.deepEqual(
    [
      'x-frame-options',
      'x-content-type-options',
      'referrer-policy',
      'cross-origin-opener-policy',
      'cache-control',
    ].map((name) => answer.headers[name]),
    ['DENY', 'nosniff', 'no-referrer', 'same-origin', 'no-store'],
  );
  assert.doesNotMatch(
    answer.body,
    /<script(?![^>]*\bsrc=)|<style|\bstyle=|\son\w+=|javascript:|https?:|\/\/\w/,
  );
  const built = await readFile(new URL('../../console/dist/index.html', import.meta.url), 'utf8');
  assert.equal(answer.body, built);
  const asset = /src="([^"]+)"/.exec(built)?.[1] ?? '';
  const script = await get(asset);
  assert.deepEqual(
    ['content-type', 'x-content-type-options', 'cross-origin-resource-policy'].map(
      (name) => script.headers[name],
    ),
    ['text/javascript; charset=utf-8', 'nosniff', 'same-origin'],
  );
  for (const path of ['/auth/login', '/auth/complete?grant=x', '/redeem']) {
    const page = await get(path, { headers: { accept: 'text/html' } });
    const policy = String(page.headers['content-security-policy'] ?? page.headers.location);
    assert.match(policy, /frame-ancestors 'none'|^https:\/\/auth\./, path);
  }
});

test('nothing of a login, key, logout or trial happens ahead of the person, and nothing is read so (Sec-Purpose)', async () => {
  const kept = dump();
  for (const [name, value] of [
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
    ['x-moz', 'prefetch'],
  ] as const)
    for (const path of [
      '/auth/login',
      '/auth/login?provider=test',
      '/auth/complete?grant=x',
      '/auth/trial?provider=test',
      '/auth/trial/outcome?outcome=x',
      '/auth/session',
      '/auth/accounts',
      '/auth/providers',
      '/v1/shares',
    ]) {
      const headers = { [name]: value, 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' };
      const answer = await get(path, { headers });
      assert.equal(answer.status, 403, `${path} ${name}: ${value}`);
      assert.deepEqual([answer.setCookies, answer.location], [[], null], path);
      assert.equal(answer.headers['cache-control'], 'no-store', path);
    }
  for (const path of ['/auth/logout', '/auth/key', '/auth/account'])
    assert.equal((await send(path, { headers: { 'sec-purpose': 'prefetch' } })).status, 403, path);
  assert.deepEqual(dump(), kept);
});

test('a rebound name, and another port, get no page, no answer and no cookie (DNS rebinding)', async () => {
  for (const host of ['rebound.example.net', '127.0.0.1', 'localhost', `${HOST}:1`, `${HOST}.`, `x.${HOST}`])
    for (const path of [
      '/console/',
      '/auth/session',
      '/auth/accounts',
      '/auth/login',
      '/auth/providers',
      '/v1/shares',
    ]) {
      const answer = await get(path, { headers: { host } });
      assert.deepEqual([answer.status, answer.setCookies], [421, []], `${host}${path}`);
    }
});

test('the gateway answers the console at the control host alone; at a share’s every path is the share’s', async () => {
  const service = await startTestService();
  try {
    const share = await service.share('open', { oauthProvider: null });
    for (const path of ['/console/', '/auth/session', '/auth/key', '/v1/me', '/v1/shares']) {
      const answer = await service.browser().request(`${share.url}${path}`);
      const echo = JSON.parse(answer.body) as { readonly target?: string };
      assert.deepEqual([answer.status, echo.target], [200, path]);
    }
  } finally {
    await service.close();
  }
});

const HOST = new URL(OWN).host;
/** Those for which a token, or the connection's certificate, is the credential. */
const PUBLIC: ReadonlySet<string> = new Set(['redeemCertificate', 'renewCertificate']);

type Sent = {
  readonly method?: string;
  /** Beside those that the console's own page sends; undefined leaves one of these out. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly body?: string;
  /** Null for none. */
  readonly cookie?: string | null;
};

function send(path: string, { method = 'POST', headers = {}, body = '', cookie: own = cookie }: Sent) {
  const all = {
    host: HOST,
    origin: OWN,
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    ...(own === null ? {} : { cookie: own }),
    ...headers,
  };
  const given = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
  const withBody = method === 'GET' || method === 'HEAD' || body === '' ? {} : { body };
  return createBrowser().request(`${control.url.origin}${path}`, {
    method,
    headers: Object.fromEntries(given),
    ...withBody,
  });
}

function get(path: string, { headers = {}, cookie: own = cookie }: Sent = {}): Promise<BrowserAnswer> {
  return send(path, {
    method: 'GET',
    headers: { origin: undefined, 'content-type': undefined, 'sec-fetch-site': undefined, ...headers },
    cookie: own,
  });
}

async function logIn(): Promise<string> {
  const answer = await send('/auth/key', { body: keyBody(), cookie: null });
  assert.equal(answer.status, 204, answer.body);
  return answer.setCookies[0]?.split(';')[0] ?? '';
}

function keyBody(): string {
  return JSON.stringify({ apiKey: control.alice.apiKey.reveal() });
}

function nameFor(parameter: string | null): string {
  return parameter === null ? '' : (things.named[parameter]?.[0] ?? '');
}

function codeOf({ body }: BrowserAnswer): string {
  return body === '' ? '' : String((JSON.parse(body) as { code?: string }).code ?? '');
}

/** All that is kept, but when a key was used. */
function dump(): Readonly<Record<string, unknown>> {
  const database = new DatabaseSync(control.store.sqliteFile, { readOnly: true });
  const names = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all() as {
    name: string;
  }[];
  const tables = names.map(({ name }) => [
    name,
    database
      .prepare(`SELECT * FROM "${name}"`)
      .all()
      .map(({ last_used_at: _at, ...row }) => row),
  ]);
  database.close();
  return Object.fromEntries(tables) as Readonly<Record<string, unknown>>;
}
