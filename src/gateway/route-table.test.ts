import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../domain/id.ts';
import type { Share } from '../domain/share.ts';
import { createRouteTable } from './route-table.ts';
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
  const table = createRouteTable([demo]);
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
  const table = createRouteTable([demo]);
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
  const table = createRouteTable([first]);
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
  const table = createRouteTable([
    counted('plain'),
    counted('people', { rules: [{ allow: { providers: ['corp'] } }] }),
  ]);
  assert.deepEqual([compiled, table.certificateShares()], [0, 0]);
  table.change([counted('ruled', { rules: [rule] }), counted('own', { clientCertificate: ANY })], []);
  assert.deepEqual([compiled > 0, table.certificateShares()], [true, 2]);
});

const ANY = { subject: null, unit: null };
