import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unsetSettings } from '../../test/support/share-settings.ts';
import { type AlikeParts, createFlatShares } from './flat-shares.ts';
import { newId } from './id.ts';
import { allFlat, createShareBook, sharesNow } from './share-book.ts';
import type { Share } from './share.ts';

const accountId = newId('acc');
const PLAIN: AlikeParts = { login: null, ...unsetSettings() };
const LOGIN: AlikeParts = {
  ...PLAIN,
  login: {
    providers: [{ name: 'corp', provider: null }],
    named: ['corp'],
    emailPatterns: ['*@example.com'],
    checkIntervalMs: 1_000,
  },
};

function share(name: string, more: Partial<Share> = {}): Share {
  const hosts = [`${name}.example.com`];
  return { id: newId('shr'), accountId, name, hosts, target: 'http://127.0.0.1:1', ...PLAIN, ...more };
}

function bookOf(shares: readonly Share[]) {
  const flat = createFlatShares();
  const alike = new Map<Share['login'], AlikeParts>([[LOGIN.login, LOGIN]]);
  for (const each of shares) {
    const { id: _id, accountId: _account, name: _name, hosts: _hosts, target: _target, ...parts } = each;
    flat.add(each, alike.get(each.login) ?? parts);
  }
  return createShareBook(allFlat(flat.done()));
}

test('createShareBook() gives back every share as it was, to another thread, too (Very many shares)', () => {
  const shares = [
    share('plain'),
    share('bare', { target: null, hosts: [] }),
    share('login', LOGIN),
    share('two', { ...LOGIN, hosts: ['two.example.com', 'www.example.org'] }),
    // Each setting for itself: none is lost, and none is another share's.
    ...Object.keys(PLAIN).map((setting, n) => share(`own-${n}`, { [setting]: [`of ${setting}`] })),
    ...Array.from({ length: 700 }, (_, n) => share(`one-of-many-${n}`)),
    share('foreign', { accountId: newId('acc'), name: 'with "quotes", \\ and ünicode €' }),
  ];
  const told = structuredClone(bookOf(shares).now());
  assert.ok(told.flat.text.buffer instanceof SharedArrayBuffer);
  for (const book of [bookOf(shares), createShareBook(told), createShareBook(sharesNow(shares))])
    for (const each of shares) {
      for (const host of each.hosts) assert.deepEqual(book.findByHost(host), each);
      assert.deepEqual(book.find(each.id), each);
      for (const host of each.hosts) assert.equal(book.findByHost(host), book.find(each.id));
    }
});

test('createShareBook() finds no other host, and no other id', () => {
  const book = bookOf([share('demo')]);
  for (const host of ['xdemo.example.com', 'demo.example.com.', 'example.com', '__proto__', ''])
    assert.equal(book.findByHost(host), undefined, host);
  assert.equal(book.find(newId('shr')), undefined);
  assert.equal(bookOf([]).findByHost('demo.example.com'), undefined);
});

test('what many shares have alike is there once', () => {
  const { flat } = bookOf([share('a', LOGIN), share('b'), share('c', LOGIN)]).now();
  assert.equal(flat.alike.length, 2);
  assert.deepEqual([...flat.kinds], [0, 1, 0]);
});

for (const isKnown of [false, true]) {
  const when = isKnown ? 'that was asked for before' : 'that nobody asked for';
  test(`set() and remove() replace a share ${when}, with all its hosts, here and for who starts later`, () => {
    const demo = share('demo', { hosts: ['a.example.com', 'b.example.com'] });
    const other = share('other');
    const book = bookOf([demo, other]);
    if (isKnown) assert.deepEqual(book.findByHost('a.example.com'), demo);
    const moved = { ...demo, hosts: ['b.example.com', 'c.example.com'] };
    book.set(moved);
    for (const each of [book, createShareBook(structuredClone(book.now()))]) {
      assert.equal(each.findByHost('a.example.com'), undefined);
      assert.deepEqual(each.findByHost('b.example.com'), moved);
      assert.deepEqual(each.findByHost('c.example.com'), moved);
      assert.deepEqual(each.find(demo.id), moved);
      assert.deepEqual(
        each.ids(() => true),
        [other.id, demo.id],
      );
    }
    book.remove(demo.id);
    for (const each of [book, createShareBook(structuredClone(book.now()))]) {
      for (const host of [...demo.hosts, ...moved.hosts]) assert.equal(each.findByHost(host), undefined);
      assert.equal(each.find(demo.id), undefined);
      assert.deepEqual(
        each.ids(() => true),
        [other.id],
      );
    }
  });
}

test('a host stays with the share that took it over, whichever is asked for', () => {
  const first = share('first', { hosts: ['x.example.com'] });
  const second = share('second', { hosts: ['x.example.com'] });
  const changed = bookOf([first]);
  changed.set(second);
  // Read one after the other while the host passed from one to the other.
  const read = bookOf([first, second]);
  for (const book of [changed, read]) {
    assert.deepEqual(book.find(first.id), first);
    assert.deepEqual(book.findByHost('x.example.com'), second);
    book.remove(first.id);
    assert.deepEqual(book.findByHost('x.example.com'), second);
  }
});

test('what one book hears touches neither another nor what was told before, though they share memory', () => {
  const demo = share('demo');
  const book = bookOf([demo]);
  const told = book.now();
  const [worker, other] = [createShareBook(told), createShareBook(told)];
  book.remove(demo.id);
  worker.remove(demo.id);
  for (const each of [other, createShareBook(told)]) {
    assert.deepEqual(each.find(demo.id), demo);
    assert.deepEqual(each.findByHost('demo.example.com'), demo);
  }
});

test('ids() answers those that are meant, of the flat ones and of those that changed', () => {
  const [a, b, c] = [share('a', LOGIN), share('b'), share('c', LOGIN)];
  const book = bookOf([a, b, c]);
  assert.deepEqual(book.find(a.id), a);
  assert.deepEqual(
    book.ids(() => true),
    [b.id, c.id, a.id],
  );
  book.set({ ...a, login: null });
  assert.deepEqual(
    book.ids(({ login }) => login !== null),
    [c.id],
  );
  book.set({ ...b, ...LOGIN });
  assert.deepEqual(
    book.ids(({ login }) => login !== null),
    [c.id, b.id],
  );
});
