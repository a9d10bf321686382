import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFlatShares } from '../domain/flat-shares.ts';
import { newId } from '../domain/id.ts';
import { allFlat, createShareBook, sharesNow } from '../domain/share-book.ts';
import type { Share } from '../domain/share.ts';
import { createRouteTable, type RouteTable } from './route-table.ts';
import { unsetSettings } from '../../test/support/share-settings.ts';

function share(name: string, hosts: readonly string[], id = newId('shr')): Share {
  const accountId = newId('acc');
  return {
    id,
    accountId,
    name,
    hosts,
    target: 'http://127.0.0.1',
    login: null,
    ...unsetSettings(),
  };
}

test('createRouteTable() finds by exact host and by id (DESIGN 1, RouteTable)', () => {
  const demo = share('demo', ['demo.example.com', 'www.example.org']);
  const table = createRouteTable(sharesNow([demo]));
  assert.equal(table.findByHost('demo.example.com'), demo);
  assert.equal(table.findByHost('www.example.org'), demo);
  assert.equal(table.findById(demo.id), demo);
  for (const host of [
    'xdemo.example.com',
    'demo.example.com.',
    'example.com',
    'a.demo.example.com',
    '__proto__',
    '',
  ])
    assert.equal(table.findByHost(host), undefined, host);
});

test('change() replaces a share with all its hosts, and removes it', () => {
  const demo = share('demo', ['a.example.com', 'b.example.com']);
  const table = createRouteTable(sharesNow([demo]));
  const moved = { ...demo, hosts: ['b.example.com', 'c.example.com'] };
  table.change([moved], []);
  assert.equal(table.findByHost('a.example.com'), undefined);
  assert.equal(table.findByHost('c.example.com'), moved);
  assert.equal(table.size(), 1);
  table.change([], [demo.id]);
  assert.equal(table.findByHost('b.example.com'), undefined);
  assert.equal(table.size(), 0);
});

test('change() leaves a host with the share that took it over', () => {
  const first = share('first', ['x.example.com']);
  const second = share('second', ['x.example.com']);
  const table = createRouteTable(sharesNow([first]));
  table.change([second], []);
  table.change([], [first.id]);
  assert.equal(table.findByHost('x.example.com'), second);
});

test('createRouteTable() compiles no rules of shares that ask for no certificate, and counts those that do (Very many visitors)', () => {
  let compiled = 0;
  const counted = (name: string, more: Partial<Share> = {}): Share =>
    Object.defineProperty({ ...share(name, [`${name}.example.com`]), ...more }, 'allowAddresses', {
      enumerable: true,
      get: () => {
        compiled++;
        return [];
      },
    });
  const rule = { allow: { certificate: { subject: null, unit: null } } };
  const table = createRouteTable(
    sharesNow([counted('plain'), counted('people', { rules: [{ allow: { providers: ['corp'] } }] })]),
  );
  assert.deepEqual([compiled, table.certificateShares()], [0, 0]);
  table.change([counted('ruled', { rules: [rule] }), counted('own', { clientCertificate: ANY })], []);
  assert.deepEqual([compiled > 0, table.certificateShares()], [true, 2]);
});

test('createRouteTable() counts shares in flat memory as it counts others (Very many shares)', () => {
  const agents = { ...unsetSettings(), login: null };
  const asking = { ...agents, clientCertificate: ANY };
  const behind = { ...agents, behind: true };
  const flat = createFlatShares();
  for (const [name, parts] of Object.entries({ agents, asking, behind }))
    for (const target of [null, 'http://127.0.0.1'])
      flat.add({ ...share(name, [`${name}-${target === null}.example.com`]), target }, parts);
  const start = allFlat(flat.done());
  const table = createRouteTable(start);
  assert.deepEqual(counts(table), [6, 2, 2]);
  const gone = table.findByHost('asking-true.example.com');
  const changed = table.findByHost('agents-true.example.com');
  assert.ok(gone !== undefined && changed !== undefined);
  assert.deepEqual(counts(table), [6, 2, 2]);
  const book = createShareBook(start);
  table.change([{ ...changed, enabled: false }], [gone.id]);
  book.set({ ...changed, enabled: false });
  book.remove(gone.id);
  for (const each of [table, createRouteTable(book.now())]) assert.deepEqual(counts(each), [5, 1, 0]);
  table.change([], [changed.id, changed.id]);
  assert.deepEqual(counts(table), [4, 1, 0]);
});

function counts(table: RouteTable): readonly number[] {
  return [table.size(), table.certificateShares(), table.tunnelShares()];
}

const ANY = { subject: null, unit: null };
