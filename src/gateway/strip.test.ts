import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { createHeaderKinds, normalisedName } from './header-kind.ts';
import { nominatedNames, stripRequest, stripTrailers, type StripRules } from './strip.ts';

const KINDS = createHeaderKinds('x-corp-auth-');
const RULES: StripRules = {
  kinds: KINDS,
  ownCookie: (name) => name === 'svc-auth-session' || name === '__Host-svc-auth-bind',
};

function strip(rawHeaders: readonly string[], connection: string | null = null): string[] {
  return stripRequest(RULES, { rawHeaders, connection, host: 'demo.example.com', expectsContinue: false });
}

test('stripRequest() drops service tokens in every spelling, and passes every other Authorization on (DESIGN "Service tokens")', () => {
  for (const [name, value] of [
    ['Authorization', 'Bearer dws_token'],
    ['authorization', 'bEARER \t dws_token'],
    ['svc-auth-token', 'dws_token'],
    ['Svc_Auth_Token', 'dws_token'],
  ] as const)
    assert.deepEqual(strip([name, value, 'X-Kept', '1']), ['Host', 'demo.example.com', 'X-Kept', '1']);
  const others = ['Authorization', 'Bearer dw_token', 'AUTHORIZATION', 'Basic dws_token'];
  assert.deepEqual(strip(others), ['Host', 'demo.example.com', ...others]);
  assert.deepEqual(stripTrailers(KINDS, ['Authorization', 'Bearer x', 'X-Sum', '1']), ['X-Sum', '1']);
});

test('stripRequest() drops whatever only the gate may say, in every spelling (DESIGN "Stripping")', () => {
  for (const name of [
    'svc-auth-email',
    'SVC-AUTH-EMAIL',
    'svc_auth_email',
    'Svc.Auth.Provider',
    'svc-auth_expires',
    'svc-auth-anything-new',
    'x-corp-auth-email',
    'X_Corp_Auth_Email',
    'Client-Cert',
    'client_cert_chain',
    'Forwarded',
    'X-Forwarded-For',
    'x_forwarded_host',
    'X-Forwarded-Anything',
    'X-Real-IP',
    'x_real_ip',
    'X-Request-Id',
    'Doorward-Hop',
  ])
    assert.deepEqual(
      strip([name, 'forged', 'accept', '*/*']),
      ['Host', 'demo.example.com', 'accept', '*/*'],
      name,
    );
});

test('stripRequest() keeps what only looks alike', () => {
  for (const name of ['svc-author', 'x-svc-auth-email', 'X-Forward', 'x-real-ip2', 'authorization', 'client'])
    assert.deepEqual(strip([name, 'v']), ['Host', 'demo.example.com', name, 'v'], name);
});

test('stripRequest() drops hop-by-hop headers and those that Connection names, but never what a request needs', () => {
  const raw = [
    'Keep-Alive',
    '5',
    'TE',
    'gzip',
    'Upgrade',
    'h2c',
    'Proxy-Authorization',
    'b',
    'X-Once',
    '1',
    'Accept',
    '*/*',
  ];
  assert.deepEqual(strip(raw, 'close, X-Once'), ['Host', 'demo.example.com', 'Accept', '*/*']);
  assert.deepEqual([...nominatedNames('Host, cookie, Content-Type, x-a,,')], ['x-a']);
});

test('stripRequest() takes its own cookies out of the Cookie header, joined from crumbs (DESIGN "Stripping")', () => {
  assert.deepEqual(strip(['cookie', 'a=1', 'cookie', 'svc-auth-session=x', 'Cookie', 'b="2"']).slice(2), [
    'Cookie',
    'a=1; b="2"',
  ]);
  assert.deepEqual(strip(['cookie', '__Host-svc-auth-bind=x; svc-auth-session=y']).slice(2), []);
});

test('stripTrailers() keeps neither reserved names nor what belongs into a head (RFC 9110 6.5.1)', () => {
  const trailers = [
    'x-sum',
    '1',
    'svc_auth_email',
    'root',
    'Content-Length',
    '3',
    'Set-Cookie',
    'a',
    'Host',
    'b',
    'Cookie',
    'c',
  ];
  assert.deepEqual(stripTrailers(KINDS, trailers), ['x-sum', '1']);
});

const separator = fc.constantFrom('-', '_', '.', '~', '!', '#', '+', '^', '`', '|', "'", '*', '%', '&', '$');
const tail = fc.string({ unit: fc.constantFrom(...'abcXYZ019-_.'), maxLength: 12 });

test('stripRequest() lets no spelling of a reserved name pass (property)', () => {
  const words = fc.constantFrom(
    ['svc', 'auth', ''],
    ['x', 'corp', 'auth', ''],
    ['x', 'forwarded', ''],
    ['client', 'cert'],
  );
  fc.assert(
    fc.property(words, separator, tail, fc.func(fc.boolean()), (parts, between, rest, upper) => {
      const plain = parts.join(between) + rest;
      const name = [...plain].map((letter, index) => (upper(index) ? letter.toUpperCase() : letter)).join('');
      assert.deepEqual(strip([name, 'forged']), ['Host', 'demo.example.com']);
      assert.deepEqual(stripTrailers(KINDS, [name, 'forged']), []);
    }),
  );
});

test('stripRequest() passes any other header byte for byte and in order (property)', () => {
  const name = fc
    .string({ unit: fc.constantFrom(...'abcdefXYZ0123456789-_'), minLength: 1, maxLength: 20 })
    .filter((text) => KINDS(text) === 'pass');
  const value = fc.string({ unit: 'binary-ascii' });
  fc.assert(
    fc.property(fc.array(fc.tuple(name, value)), (headers) => {
      assert.deepEqual(strip(headers.flat()).slice(2), headers.flat());
    }),
  );
});

test('stripRequest() never puts out a name that reads like an identity header, whatever comes in (property)', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.string(), fc.string())),
      fc.option(fc.string(), { nil: null }),
      (headers, connection) => {
        const out = strip(headers.flat(), connection);
        for (let index = 0; index < out.length; index += 2)
          assert.ok(!/^(svc-auth-|x-corp-auth-|x-forwarded-|client-cert)/.test(normalisedName(out[index]!)));
      },
    ),
  );
});
