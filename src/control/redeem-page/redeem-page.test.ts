// The redeem page as it is sent. How it works in a browser is in test/e2e/redeem-page.test.ts.

import assert from 'node:assert/strict';
import { request } from 'node:http';
import { once } from 'node:events';
import { after, before, test } from 'node:test';
import { posix } from 'node:path';
import { text } from 'node:stream/consumers';
import { startControl, type TestControl } from '../../../test/support/control.ts';

let control: TestControl;
before(async () => {
  control = await startControl();
});
after(() => control[Symbol.asyncDispose]());

type Got = { readonly status: number; readonly headers: Headers; readonly body: string };

async function get(
  path: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Got> {
  const calling = request(new URL(path, control.url), { method, agent: false, headers });
  calling.end();
  const [answer] = await once(calling, 'response');
  const pairs = Object.entries(answer.headers as Record<string, string>);
  return { status: answer.statusCode, headers: new Headers(pairs), body: await text(answer) };
}

const HTML = { accept: 'text/html' };

test('GET /redeem runs and calls its own host alone, is kept nowhere and tells nobody where it was (contract 5.4)', async () => {
  const { status, headers, body } = await get('/redeem', HTML);
  assert.equal(status, 200);
  const policy = new Map(
    (headers.get('content-security-policy') ?? '').split('; ').map((directive) => {
      const [name = '', ...values] = directive.split(' ');
      return [name, values.join(' ')];
    }),
  );
  assert.deepEqual(Object.fromEntries(policy), {
    'default-src': "'none'",
    'script-src': "'self'",
    'style-src': "'self'",
    'connect-src': "'self'",
    'img-src': 'data:',
    'form-action': "'none'",
    'frame-ancestors': "'none'",
    'base-uri': "'none'",
    'require-trusted-types-for': "'script'",
    'trusted-types': "'none'",
  });
  for (const [name, value] of Object.entries({
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'set-cookie': null,
  }))
    assert.equal(headers.get(name), value, name);
  assert.doesNotMatch(body, /<style|\sstyle=|\son\w+=|<script(?! type="module" src=")|<!--/);
  assert.match(body, /<title>Get your certificate – Test<\/title>/);
  assert.equal((await get('/redeem', HTML, 'HEAD')).body, '');
  assert.equal((await get('/redeem', {}, 'POST')).status, 405);
});

test('the page’s files are JavaScript and CSS, name only each other, and nothing else is there (DESIGN 4)', async () => {
  const warnings: string[] = [];
  const hear = ({ name }: Error): void => void warnings.push(name);
  process.on('warning', hear);
  const { body } = await get('/redeem', HTML);
  const named = [...body.matchAll(/(?:href|src)="(\/redeem\/files\/[^"]+)"/g)].map(([, path = '']) => path);
  assert.ok(named.length > 10);
  for (const path of named) {
    const file = await get(path);
    assert.equal(file.status, 200, path);
    assert.equal(file.headers.get('cache-control'), 'no-store');
    const type = path.endsWith('.css') ? 'text/css' : 'text/javascript';
    assert.equal(file.headers.get('content-type'), `${type}; charset=utf-8`);
    if (!path.endsWith('.js')) continue;
    assert.doesNotMatch(file.body, /^(?:import|export) type\b|\bBuffer\b|\bprocess\b|from 'node:/m, path);
    for (const [, target = ''] of file.body.matchAll(/^(?:import .*|\} )from '([^']+)'/gm))
      assert.ok(named.includes(posix.join(posix.dirname(path), target)), `${path} imports ${target}`);
  }
  for (const path of [
    '/redeem/files/src/serve.js',
    '/redeem/files/console/redeem/main.ts',
    '/redeem/files/../../package.json',
    '/redeem/files/',
    '/redeem/',
  ])
    assert.equal((await get(path)).status, 404, path);
  process.off('warning', hear);
  assert.deepEqual(warnings, []);
});

test('GET /redeem answers at its own host alone, and over an encrypted connection or on this machine (contract 5.4)', async () => {
  const elsewhere = { ...HTML, host: 'evil.example' };
  assert.equal((await get('/redeem', elsewhere)).status, 421);
  const { publicUrl } = control.settings.console;
  Object.assign(control.settings.console, { publicUrl: new URL('http://control.example.com') });
  try {
    const host = { host: 'control.example.com' };
    const page = await get('/redeem', { ...HTML, ...host });
    assert.deepEqual([page.status, page.headers.get('content-type')], [403, 'text/html; charset=utf-8']);
    assert.match(page.body, /That requires an encrypted connection/);
    const document = await get('/redeem', host);
    assert.deepEqual([document.status, JSON.parse(document.body).code], [403, 'insecure_channel']);
    assert.equal((await get('/redeem/files/console/redeem/main.js', host)).status, 403);
  } finally {
    Object.assign(control.settings.console, { publicUrl });
  }
});

test('GET /redeem shows the operator’s name and contact as text (THREATS "Pages")', async () => {
  const { brand } = control.settings.console;
  const hostile = '<script>alert(1)</script>';
  Object.assign(control.settings.console, { brand: { name: hostile, logo: null, contact: hostile } });
  try {
    const { body } = await get('/redeem', HTML);
    assert.doesNotMatch(body, /<script>/);
    assert.equal(body.split('&lt;script&gt;').length, 4);
  } finally {
    Object.assign(control.settings.console, { brand });
  }
});
