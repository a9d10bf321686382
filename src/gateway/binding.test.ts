import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortHash } from '../domain/secret.ts';
import { bindingHashes, bindingOf } from './binding.ts';

test('bindingOf() keeps a binding that is there, makes one over https, and none over plain HTTP (DESIGN 3)', () => {
  assert.deepEqual(bindingOf(null, false), { hash: null, setCookie: null });
  assert.deepEqual(bindingOf('hash', true), { hash: 'hash', setCookie: null });
  const made = bindingOf(null, true);
  const value = /^__Host-svc-auth-bind-[\w-]{6}=([\w-]{22}); Path=\/; HttpOnly; SameSite=Lax; Secure$/.exec(
    made.setCookie ?? '',
  )?.[1];
  assert.equal(made.hash, shortHash(value ?? ''));
  assert.notEqual(bindingOf(null, true).hash, made.hash);
});

test('bindingOf() gives tabs that start at once cookies that stand side by side (DESIGN 3, One browser, many logins)', () => {
  const names = Array.from({ length: 5 }, () => bindingOf(null, true).setCookie?.split('=', 1)[0]);
  assert.equal(new Set(names).size, 5);
});

test('bindingHashes() reads every binding cookie, eight at most, and nothing else (DESIGN 3)', () => {
  const cookie =
    'a=1; __Host-svc-auth-bind=x; __Host-svc-auth-bind-abc123=y; svc-auth-bind=z; __Host-svc-auth-bind-q=';
  assert.deepEqual(bindingHashes(cookie), [shortHash('x'), shortHash('y')]);
  const many = Array.from({ length: 20 }, (_, index) => `__Host-svc-auth-bind-${index}=v${index}`).join('; ');
  assert.equal(bindingHashes(many).length, 8);
  assert.deepEqual(bindingHashes(null), []);
});
