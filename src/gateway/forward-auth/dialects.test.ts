// Which question is whose, and what each says (DESIGN "Forward-auth").

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServiceError } from '../../domain/service-error.ts';
import { type Account, readAccount } from './account.ts';
import { questionAt } from './dialects.ts';

const FORWARDED = [
  ['X-Forwarded-Method', 'POST'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Host', 'app.example.com'],
  ['X-Forwarded-Uri', '/a?b'],
  ['X-Forwarded-For', '198.51.100.7'],
] as const;
const ORIGINAL = [
  ['X-Original-Method', 'POST'],
  ['X-Original-URI', '/a?b'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-For', '198.51.100.7'],
] as const;
const TOLD: Omit<Account, 'headers'> = {
  method: 'POST',
  authority: 'app.example.com',
  target: '/a?b',
  scheme: 'https',
  forwardedFor: '198.51.100.7',
  certificate: null,
  webSocket: false,
};

type Lines = readonly (readonly [name: string, value: string])[];

function read(path: string, lines: Lines, method = 'GET'): Account {
  const question = questionAt(path);
  assert.ok(question !== null, path);
  return readAccount({ method, rawHeaders: lines.flat() }, question);
}

function faultOf(path: string, lines: Lines): string | null {
  try {
    read(path, lines);
    return null;
  } catch (error) {
    assert.ok(error instanceof ServiceError);
    assert.equal(error.code, 'forward_auth_invalid');
    return error.message;
  }
}

test('questionAt() knows five proxies by their paths, and nothing else', () => {
  for (const path of ['nginx', 'nginx/answer', 'traefik', 'caddy?x=y', 'haproxy', 'envoy/', 'envoy//x?y'])
    assert.notEqual(questionAt(`/.svc/authorize/${path}`), null, path);
  assert.equal(questionAt('/.svc/authorize/envoy//x?y')?.ownTarget, '//x?y');
  for (const path of ['', 'envoy', 'NGINX', 'nginx/', 'nginx/answer/x', 'caddy/x', 'x'])
    assert.equal(questionAt(`/.svc/authorize/${path}`), null, path);
  assert.equal(questionAt('/x/.svc/authorize/nginx'), null);
});

test('readAccount() reads what each proxy says, and leaves the visitor’s headers alone', () => {
  const mine = [
    ['Cookie', 'a=b'],
    ['X-Real-IP', '6.6.6.6'],
    ['Svc-Auth-Secret', 's'],
    ['Content-Length', '0'],
  ] as const;
  const rows: readonly (readonly [string, Lines, string])[] = [
    ['nginx', [['Host', 'app.example.com'], ...ORIGINAL, ...mine], 'GET'],
    ['traefik', [['Host', 'doorward:8080'], ...FORWARDED, ...mine], 'GET'],
    ['caddy', [['Host', 'app.example.com'], ...FORWARDED, ...mine], 'GET'],
    ['haproxy', [['Host', '127.0.0.1'], ...FORWARDED, ...mine], 'GET'],
    ['envoy/a?b', [['Host', 'app.example.com'], ...ORIGINAL.slice(2), ...mine], 'POST'],
  ];
  for (const [path, lines, method] of rows) {
    const { headers, ...told } = read(`/.svc/authorize/${path}`, lines, method);
    assert.deepEqual(told, TOLD, path);
    assert.deepEqual(headers, ['Host', 'app.example.com', 'Cookie', 'a=b', 'X-Real-IP', '6.6.6.6'], path);
  }
});

test('readAccount() refuses each header that is missing, empty or there twice', () => {
  for (const [path, lines] of [
    ['nginx', [['Host', 'app.example.com'], ...ORIGINAL]],
    ['traefik', FORWARDED],
    ['caddy', FORWARDED],
    ['haproxy', FORWARDED],
    ['envoy/', [['Host', 'app.example.com'], ...ORIGINAL.slice(2)]],
  ] as const) {
    const at = `/.svc/authorize/${path}`;
    assert.equal(faultOf(at, lines), null);
    for (const [index, [name, value]] of lines.entries()) {
      const others = lines.filter((_line, other) => other !== index);
      const lower = name.toLowerCase();
      assert.match(faultOf(at, others) ?? '', new RegExp(`${lower} is missing`), `${path} ${name}`);
      assert.match(faultOf(at, [...others, [name, '']]) ?? '', /is missing/);
      assert.match(faultOf(at, [...lines, [lower, value]]) ?? '', /is there twice/);
    }
  }
});

test('readAccount() knows a WebSocket by what no proxy takes for its own', () => {
  for (const sign of [
    ['Sec-WebSocket-Key', 'x'],
    ['sec-websocket-version', '13'],
    ['Upgrade', 'WebSocket'],
    ['Sec-Fetch-Mode', 'websocket'],
  ] as const) {
    const { webSocket, headers } = read('/.svc/authorize/caddy', [...FORWARDED, sign]);
    assert.equal(webSocket, true, sign[0]);
    assert.deepEqual(headers.slice(-4), ['Upgrade', 'websocket', 'Connection', 'Upgrade']);
  }
  assert.equal(read('/.svc/authorize/caddy', [...FORWARDED, ['Upgrade', 'h2c']]).webSocket, false);
});

test('readAccount() takes an address in one header, alone', () => {
  const lines = [
    ['X-Original-Method', 'POST'],
    ['X-Forwarded-For', '198.51.100.7'],
    ['X-Original-URL', 'https://app.example.com/a?b'],
  ] as const;
  const { headers: _headers, ...told } = read('/.svc/authorize/nginx', lines);
  assert.deepEqual(told, TOLD);
  assert.match(faultOf('/.svc/authorize/nginx', [...lines, ['X-Original-URI', '/a']]) ?? '', /both there/);
  assert.match(
    faultOf('/.svc/authorize/nginx', [...lines, ['X-Forwarded-Proto', 'http']]) ?? '',
    /two schemes/,
  );
});
