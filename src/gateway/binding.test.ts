import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shortHash } from '../domain/secret.ts';
import { bindingOf, bindingsIn, surplusBindings, type Binding } from './binding.ts';

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

test('bindingOf() gives tabs that start at once cookies that stand side by side (DESIGN "One browser, many logins")', () => {
  const names = Array.from({ length: 5 }, () => bindingOf(null, true).setCookie?.split('=', 1)[0]);
  assert.equal(new Set(names).size, 5);
});

test('bindingsIn() finds the binding cookie that is asked for among any number, and nothing else (DESIGN 3)', () => {
  const made = Array.from({ length: 40 }, () => bindingOf(null, true));
  const cookie = `a=1; ${made.map(pairOf).join('; ')}`;
  const bindings = bindingsIn(cookie);
  for (const { hash } of made) assert.ok(bindings.has(hash ?? ''));
  assert.equal(bindings.any(), made[0]?.hash);
  assert.ok(!bindings.has(shortHash('another')));
  const named = `__Host-svc-auth-bind-${shortHash('x').slice(0, 6)}`;
  assert.ok(!bindingsIn(`${named}=y; svc-auth-bind=x; ${named.toLowerCase()}=x`).has(shortHash('x')));
  assert.ok(bindingsIn('__Host-svc-auth-bind=x').has(shortHash('x')), 'a name may end there');
  for (const none of [null, 'a=1', '__Host-svc-auth-bind-abcdef=', '__Host-svc-auth-bind']) {
    assert.equal(bindingsIn(none).any(), null);
    assert.ok(!bindingsIn(none).has(shortHash('')));
  }
});

test('bindingsIn() tries eight cookies of one name at most (THREATS "Exhaustion")', () => {
  const others = '__Host-svc-auth-bind=y; ';
  assert.ok(bindingsIn(`${others.repeat(7)}__Host-svc-auth-bind=x`).has(shortHash('x')));
  assert.ok(!bindingsIn(`${others.repeat(8)}__Host-svc-auth-bind=x`).has(shortHash('x')));
});

test('surplusBindings() expires all but eight: the one in use, and the newest (DESIGN "One browser, many logins")', () => {
  const made = Array.from({ length: 12 }, () => bindingOf(null, true));
  const cookie = made.map(pairOf).join('; ');
  const expired = surplusBindings(cookie, made[1]?.hash ?? null);
  const names = expired.map((setCookie) => setCookie.split('=', 1)[0]);
  assert.deepEqual(
    names,
    [0, 2, 3, 4].map((index) => made[index]?.setCookie?.split('=', 1)[0]),
  );
  for (const setCookie of expired)
    assert.match(setCookie, /=; Path=\/; Max-Age=0; Expires=[^;]+; HttpOnly; SameSite=Lax; Secure$/);
  assert.deepEqual(surplusBindings(made.slice(0, 8).map(pairOf).join('; '), null), []);
  assert.deepEqual(surplusBindings(null, null), []);
});

function pairOf({ setCookie }: Binding): string {
  return setCookie?.split(';', 1)[0] ?? '';
}
