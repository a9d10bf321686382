import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MOST_VIEWS, readViews, viewName, viewQuery, withView, writeViews } from './saved-view.ts';

const HOLDS = ['q', 'state', 'sort'];

test('readViews() reads what writeViews() wrote', () => {
  const views = [
    { name: 'Down, newest first', query: 'state=down&sort=-created' },
    { name: 'Zoë & Ann 👩‍💻', query: 'q=a%26b+%2B' },
    { name: 'All', query: '' },
  ];
  assert.deepEqual(readViews(writeViews(views), HOLDS), views);
});

test('readViews() takes no path, no address of elsewhere, no parameter that the list does not have', () => {
  assert.equal(queryOf('?q=wiki'), 'q=wiki');
  for (const query of [
    'https://evil.example/?q=1',
    '//evil.example',
    '../../auth/logout?x=1',
    'javascript:alert(1)',
    'follow=1&event=evt_1&dw=1',
    '#q=1',
    '__proto__=1&constructor=2',
  ])
    assert.equal(queryOf(query), '', query);
  assert.equal(queryOf('q=1&q=2&next=//evil.example#/x'), 'q=1');
  assert.equal(
    queryOf('q=<img src=x onerror=alert(1)>&state=%0d%0a'),
    'q=%3Cimg+src%3Dx+onerror%3Dalert%281%29%3E&state=%0D%0A',
  );
});

test('readViews() leaves out whatever is no view, and reads no more than a list may have', () => {
  for (const text of [
    null,
    '',
    'null',
    '{',
    '{"name":"x","query":""}',
    '7',
    '"text"',
    `${'['.repeat(9_999)}`,
  ])
    assert.deepEqual(readViews(text, HOLDS), [], String(text).slice(0, 40));
  const strange = [
    null,
    1,
    'x',
    [],
    {},
    { name: 1, query: '' },
    { name: 'x' },
    { name: ' \u202e\n', query: '' },
  ];
  assert.deepEqual(readViews(JSON.stringify(strange), HOLDS), []);
  assert.deepEqual(readViews(JSON.stringify([{ name: 'x', query: `q=${'x'.repeat(2_000)}` }]), HOLDS), []);
  assert.deepEqual(readViews('{"__proto__":[{"name":"x","query":""}]}', HOLDS), []);
  const many = Array.from({ length: 5_000 }, (_, n) => ({ name: `view ${n}`, query: 'q=x' }));
  assert.equal(readViews(JSON.stringify(many), HOLDS).length, MOST_VIEWS);
  assert.deepEqual(readViews(`${JSON.stringify(many)}${' '.repeat(500_000)}`, HOLDS), []);
  const twice = [
    { name: 'x', query: 'q=1' },
    { name: 'x ', query: 'q=2' },
  ];
  assert.deepEqual(readViews(JSON.stringify(twice), HOLDS), [{ name: 'x', query: 'q=2' }]);
});

test('viewName() is one line of at most 60 characters that turns no text around it', () => {
  assert.equal(viewName('  a \u202e\u0000 b\n\tc\u2028 '), 'a b c');
  assert.equal(viewName('👍'.repeat(99)), '👍'.repeat(60));
  assert.equal(viewName('<b>x</b>'), '<b>x</b>');
});

test('viewQuery() is the same text for the same filters, whatever else the address says', () => {
  assert.equal(viewQuery(new URLSearchParams('sort=name&q=a&event=1&state='), HOLDS), 'q=a&sort=name');
});

test('withView() replaces the view of that name, and adds no more than there is room for', () => {
  const full = Array.from({ length: MOST_VIEWS }, (_, n) => ({ name: `${n}`, query: '' }));
  assert.equal(withView(full, { name: 'new', query: '' }), null);
  assert.deepEqual(withView(full, { name: '3', query: 'q=x' })?.[3], { name: '3', query: 'q=x' });
  assert.deepEqual(withView([], { name: 'new', query: '' }), [{ name: 'new', query: '' }]);
});

function queryOf(query: unknown): string | undefined {
  return readViews(JSON.stringify([{ name: 'x', query }]), HOLDS)[0]?.query;
}
