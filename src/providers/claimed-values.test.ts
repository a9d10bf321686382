import assert from 'node:assert/strict';
import { test } from 'node:test';
import { claimAt, readClaims, readGroups, textsOf } from './claimed-values.ts';

test('claimAt() takes the claim of the whole name, else follows the path through own members of objects (Groups and claims)', () => {
  const document = {
    'https://corp.example/roles': ['a'],
    'realm_access.roles': 'whole',
    realm_access: { roles: ['inner'], nested: { deep: 1 } },
    list: [{ roles: 'no' }],
    empty: null,
  };
  assert.deepEqual(claimAt(document, 'https://corp.example/roles'), ['a']);
  assert.equal(claimAt(document, 'realm_access.roles'), 'whole');
  assert.equal(claimAt(document, 'realm_access.nested.deep'), 1);
  for (const path of ['list.0.roles', 'list.length', 'empty.x', 'realm_access.roles.length', 'none.x'])
    assert.equal(claimAt(document, path), undefined, path);
});

test('claimAt() never reads a prototype (claims of the wrong type)', () => {
  for (const path of [
    '__proto__',
    'constructor',
    'constructor.name',
    'toString',
    'a.__proto__.b',
    'a.constructor.name',
  ])
    assert.equal(claimAt({ a: {} }, path), undefined, path);
  assert.equal(claimAt(JSON.parse('{"__proto__":{"x":"own"}}'), '__proto__.x'), 'own');
});

test('textsOf() takes texts, lists of texts, numbers and booleans, and nothing else (claims of the wrong type)', () => {
  assert.deepEqual(textsOf('a,b'), ['a,b']);
  assert.deepEqual(textsOf(['a', 'b', 'a']), ['a', 'b']);
  assert.deepEqual(textsOf([]), []);
  assert.deepEqual([textsOf(3), textsOf(true), textsOf(false)], [['3'], ['true'], ['false']]);
  const wrong = [undefined, null, '', {}, { a: 1 }, [1], ['a', 1], ['a', ''], [['a']], ['a', null], NaN];
  for (const value of [...wrong, Infinity, '\ud800', ['\udfff']])
    assert.equal(textsOf(value), null, JSON.stringify(value));
});

test('readGroups() keeps at most 1,000 groups of 256 characters, and says what to do about more (too_many_groups)', () => {
  const thousand = Array.from({ length: 1_000 }, (_, index) => `group-${index}`);
  assert.deepEqual(readGroups(thousand), thousand);
  assert.equal(readGroups(['g'.repeat(256)])?.length, 1);
  for (const many of [[...thousand, 'one-more'], ['g'.repeat(257)], Array(10_000).fill(0).map(String)])
    if (new Set(many).size > 1_000 || many.length === 1)
      assert.throws(() => readGroups(many), { code: 'too_many_groups', hint: /Have the provider send only/ });
  assert.throws(() => readGroups(Array.from({ length: 10_000 }, (_, index) => `g${index}`)), {
    code: 'too_many_groups',
  });
  assert.equal(readGroups({ groups: [] }), null);
});

test('readClaims() leaves out what is not said as texts, or is too large (Groups and claims)', () => {
  const info = { department: 'R&D', level: 3, odd: { a: 1 }, long: 'x'.repeat(257), __proto__: 'no' };
  const many = Array.from({ length: 101 }, (_, index) => String(index));
  const token = { department: 'old', odd: 'not taken in its place', site: ['a', 'b'], many };
  const names = ['department', 'level', 'odd', 'long', 'site', 'many', 'missing', 'constructor'];
  assert.deepEqual(readClaims([info, token], names), {
    department: ['R&D'],
    level: ['3'],
    site: ['a', 'b'],
  });
});
