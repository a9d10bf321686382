import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { PostgresAddressRefusal, parsePostgresAddress } from './postgres-address.ts';

test('parsePostgresAddress() reads every part, escapes undone (2.1)', () => {
  const text = 'postgres://door%40ward:p%23ss%2Fw%25rd@DB.example.com:6543/my%20db?sslmode=verify-full';
  const { password, ...rest } = addressOf(text);
  assert.equal(password?.reveal(), 'p#ss/w%rd');
  assert.deepEqual(rest, {
    host: 'DB.example.com',
    port: 6543,
    database: 'my db',
    user: 'door@ward',
    tls: 'verified',
    caFile: null,
  });
});

test('parsePostgresAddress() takes IPv6, sockets, no password, the default port', () => {
  assert.equal(addressOf('postgresql://u:p@[2001:db8::1]/db').host, '2001:db8::1');
  const socket = addressOf('postgres://u@%2Frun%2Fpostgresql/db');
  assert.deepEqual([socket.host, socket.port, socket.password], ['/run/postgresql', 5432, null]);
});

test('parsePostgresAddress() turns TLS on and verifies, unless the server is here or the address says otherwise', () => {
  const modes = {
    'postgres://u:p@db/d': 'verified',
    'postgres://u:p@localhost/d': 'off',
    'postgres://u:p@127.0.0.1/d': 'off',
    'postgres://u:p@[::1]/d': 'off',
    'postgres://u:p@%2Frun/d': 'off',
    'postgres://u:p@localhost/d?sslmode=verify-full': 'verified',
    'postgres://u:p@localhost/d?sslrootcert=ca.pem': 'verified',
    'postgres://u:p@db/d?sslmode=require': 'verified',
    'postgres://u:p@db/d?sslmode=no-verify': 'unverified',
    'postgres://u:p@db/d?sslmode=disable': 'off',
  };
  for (const [text, tls] of Object.entries(modes)) assert.equal(addressOf(text).tls, tls, text);
  assert.equal(addressOf('postgres://u:p@db/d?sslrootcert=%2Fetc%2Fca.pem').caFile, '/etc/ca.pem');
});

test('parsePostgresAddress() refuses what it would have to guess, and repeats nothing of it', () => {
  const refused = [
    'postgres:u:sesame@host/db',
    'mysql://u:sesame@host/db',
    'postgres://u:sesame@host',
    'postgres://u:sesame@host/',
    'postgres://u:sesame@host/a/b',
    'postgres://:sesame@host/db',
    'postgres://host/db',
    'postgres://u:sesame@/db',
    'postgres://u:ses#ame@host/db',
    'postgres://u:sesame@host/db#sesame',
    'postgres://u:ses/ame@host/db',
    'postgres://u:ses%ame@host/db',
    'postgres://u:ses%00ame@host/db',
    'postgres://u:sesame@host:99999/db',
    'postgres://u:sesame@host:0/db',
    'postgres://u:sesame@ho st/db',
    'postgres://u:sesame@host/db?sslmode=prefer',
    'postgres://u:sesame@host/db?sslmode=',
    'postgres://u:sesame@host/db?sslmode=disable&sslmode=verify-full',
    'postgres://u:sesame@host/db?sslmode=disable&sslrootcert=ca.pem',
    'postgres://u:sesame@host/db?sslrootcert=',
    'postgres://u:sesame@host/db?ssl=true',
    'postgres://u:sesame@host/db?password=sesame',
    'postgres://u:sesame@host/db?__proto__=sesame',
    'postgres://u:sesame@host/db?sslmode=__proto__',
  ];
  for (const text of refused) {
    const refusal = parsePostgresAddress(text);
    assert.ok(refusal instanceof PostgresAddressRefusal, text);
    assert.doesNotMatch(`${refusal.found} ${refusal.wanted}`, /sesame|ses|ame@/, text);
  }
});

test('parsePostgresAddress() reads back any user, password and database that were escaped', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1 }).filter((value) => !/[\0/]/.test(value));
  fc.assert(
    fc.property(text, text, text, (user, password, database) => {
      const parts = [user, password, database].map(encodeURIComponent);
      fc.pre(parts[2] !== '.' && parts[2] !== '..');
      const address = addressOf(`postgres://${parts[0]}:${parts[1]}@db/${parts[2]}`);
      assert.deepEqual(
        [address.user, address.password?.reveal(), address.database],
        [user, password, database],
      );
    }),
  );
});

function addressOf(text: string) {
  const address = parsePostgresAddress(text);
  if (address instanceof PostgresAddressRefusal) throw new Error(`${text}: ${address.found}`);
  return address;
}
