import assert from 'node:assert/strict';
import { test } from 'node:test';
import { judgeEmail, readOptionalToken, readSubject, readToken } from './provider-values.ts';

const unverified = { name: 'ServiceError', code: 'email_unverified' };
const refused = { name: 'ServiceError', code: 'provider_error' };

test('readSubject() takes 1 to 255 printable characters (OpenID Connect Core 2)', () => {
  for (const good of ['1', 'a b', 'x'.repeat(255)]) assert.equal(readSubject(good), good);
  for (const bad of ['', 'x'.repeat(256), 'a\nb', 'a\rb', 'a\0b', 'ä', 7, null, undefined, {}])
    assert.throws(() => readSubject(bad), refused, String(bad));
});

test('readToken() takes printable text of bounded length (RFC 6749 A.12)', () => {
  assert.equal(readToken('a.b-c', 'id token').reveal(), 'a.b-c');
  assert.equal(readOptionalToken(undefined, 'id token'), null);
  assert.equal(readOptionalToken('x', 'id token')?.reveal(), 'x');
  for (const bad of ['', 'a\r\nb: c', 'ä', 7, {}]) assert.throws(() => readToken(bad, 'id token'), refused);
  assert.equal(readToken('x'.repeat(131_072), 'id token').reveal().length, 131_072);
  assert.throws(() => readToken('x'.repeat(131_073), 'id token'), {
    code: 'provider_token_too_large',
    extra: { tooLarge: 'the id token, with 129 KiB' },
  });
});

test('judgeEmail() takes the first address, and hears all that is said of it (DESIGN "Email")', () => {
  const email = 'ann@example.com';
  assert.equal(judgeEmail([{ email }], false).email, email);
  assert.equal(judgeEmail([{ email, email_verified: true }], true).email, email);
  assert.equal(judgeEmail([{ sub: '1' }, { email, email_verified: 'true' }], true).email, email);
  assert.equal(
    judgeEmail([{ email }, { email: 'old@example.com', email_verified: false }], false).email,
    email,
  );
  for (const said of [false, 'false', 0, 1, '', null, 'TRUE'])
    assert.throws(
      () => judgeEmail([{ email, email_verified: said }], false),
      unverified,
      JSON.stringify(said),
    );
  assert.throws(
    () => judgeEmail([{ email }, { email: 'ANN@example.com', email_verified: false }], false),
    unverified,
  );
  assert.throws(() => judgeEmail([{ email }, { email_verified: false }], false), unverified);
  assert.throws(() => judgeEmail([{ email }], true), unverified);
  assert.throws(
    () => judgeEmail([{ email }, { email: 'old@example.com', email_verified: true }], true),
    unverified,
  );
});

test('judgeEmail() refuses what is no single address (DESIGN "Email")', () => {
  const unusable = { name: 'ServiceError', code: 'email_unusable' };
  for (const email of [
    undefined,
    null,
    '',
    'a',
    'a@b@c',
    ['a@b'],
    'a@b\n',
    'a b@c',
    '"a"@b',
    'a,b@c',
    'ä\u200d@b',
  ])
    assert.throws(
      () => judgeEmail([{ email, email_verified: true }], false),
      unusable,
      JSON.stringify(email),
    );
});

test('judgeEmail() takes another claim for the address, and then hears email_verified of that very address alone (2.2 email_claim)', () => {
  const upn = 'ann@corp.example';
  assert.deepEqual(judgeEmail([{}, { upn }], false, 'upn'), { email: upn, emailVerified: false });
  assert.deepEqual(judgeEmail([{ email: 'x@y.example', upn, email_verified: true }], false, 'upn'), {
    email: upn,
    emailVerified: false,
  });
  assert.deepEqual(judgeEmail([{ email: 'ANN@corp.example', upn, email_verified: true }], true, 'upn'), {
    email: upn,
    emailVerified: true,
  });
  assert.throws(() => judgeEmail([{ upn, email_verified: true }], true, 'upn'), unverified);
  assert.throws(
    () => judgeEmail([{ email: 'x@y.example', upn, email_verified: true }], true, 'upn'),
    unverified,
  );
  assert.throws(() => judgeEmail([{ email: upn, upn, email_verified: false }], false, 'upn'), unverified);
  const unusable = { code: 'email_unusable' };
  for (const claims of [{ email: upn }, { upn: 'ann' }, { upn: [upn] }, { upn: 7 }])
    assert.throws(() => judgeEmail([claims], false, 'upn'), unusable, JSON.stringify(claims));
  for (const inherited of ['constructor', '__proto__', 'toString'])
    assert.throws(() => judgeEmail([{ email: upn }], false, inherited), unusable);
});
