import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { describe, test } from 'node:test';
import { createAddressList } from '../domain/address-list.ts';
import { checkTarget, pinnedLookup } from './dial-target.ts';
import type { DialRules, Lookup } from './dial-target.ts';

const rules = (allow: readonly string[] | 'operator', lookup?: Lookup): DialRules => ({
  allow: allow === 'operator' ? 'operator' : createAddressList(allow),
  ownListeners: [
    { host: '127.0.0.1', port: 8282 },
    { host: '0.0.0.0', port: 443 },
  ],
  refused: 'target_refused',
  unresolved: 'backend_down',
  ...(lookup === undefined ? {} : { lookup }),
});
const answering =
  (...addresses: readonly string[]): Lookup =>
  async () =>
    addresses.map((address) => ({ address }));
const failing: Lookup = () => Promise.reject(new Error('ENOTFOUND'));
const refused = { name: 'ServiceError', code: 'target_refused' };

describe('checkTarget() refuses what an account may not reach, in any notation (DESIGN "Calls out")', () => {
  const LOOPBACK = [
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0177.0.0.1',
    '127.9.9.9',
    '0',
    '0.0.0.0',
  ];
  const IPV6 = [
    '[::1]',
    '::1',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
  ];
  const PRIVATE = [
    '10.0.0.1',
    '192.168.1.1',
    '172.16.0.1',
    '100.64.0.1',
    '169.254.1.1',
    '[fd00::1]',
    '[fe80::1]',
  ];
  const METADATA = [
    '169.254.169.254',
    '2852039166',
    '[::ffff:169.254.169.254]',
    '[fd00:ec2::254]',
    '100.100.100.200',
  ];
  for (const host of [
    ...LOOPBACK,
    ...IPV6,
    ...PRIVATE,
    ...METADATA,
    'localhost',
    'LocalHost.',
    'a.localhost',
  ])
    test(host, () => assert.rejects(checkTarget({ host, port: 80 }, rules([])), refused));
  for (const host of ['', 'a b', 'fe80::1%eth0', '[::1', 'a_b..c', 'x'.repeat(300), '1.2.3.4.5'])
    test(`malformed: ${host.slice(0, 20)}`, () =>
      assert.rejects(checkTarget({ host, port: 80 }, rules(['0.0.0.0/0', '::/0'])), refused));
});

test('checkTarget() refuses a name when any one of its addresses is forbidden (DESIGN 3)', async () => {
  const lookup = answering('93.184.216.34', '10.0.0.7');
  await assert.rejects(checkTarget({ host: 'two.example', port: 443 }, rules([], lookup)), refused);
  const zoned = answering('fe80::1%2');
  await assert.rejects(checkTarget({ host: 'zone.example', port: 443 }, rules(['::/0'], zoned)), refused);
});

test('checkTarget() never dials metadata services or own listeners, even when they are listed (DESIGN 3)', async () => {
  const all = ['0.0.0.0/0', '::/0', 'localhost'];
  const own = Object.values(networkInterfaces()).flatMap(
    (entries) => entries?.map((entry) => entry.address) ?? [],
  );
  const hosts = [
    '127.0.0.1',
    '127.0.0.2',
    '0.0.0.0',
    'localhost',
    '[::ffff:127.0.0.1]',
    ...own.filter((a) => !a.includes('%')),
  ];
  for (const host of hosts)
    await assert.rejects(
      checkTarget({ host, port: 443 }, rules(all)),
      refused,
      `${host} on the wildcard listener`,
    );
  for (const host of ['127.0.0.1', '0.0.0.0', '[::]', '[::ffff:127.0.0.1]', '0x7f.1'])
    await assert.rejects(
      checkTarget({ host, port: 8282 }, rules(all)),
      refused,
      `${host} on the loopback listener`,
    );
  for (const host of ['169.254.169.254', '[fd00:ec2::254]', '[::ffff:a9fe:a9fe]'])
    await assert.rejects(checkTarget({ host, port: 80 }, rules(all)), refused, host);
});

test('checkTarget() dials what the operator lists, by range, name and port (DESIGN 2.1 direct_targets)', async () => {
  const list = rules(['127.0.0.1:3000', '10.0.0.0/8', 'db.internal:5432'], answering('192.168.3.3'));
  assert.equal((await checkTarget({ host: '127.0.0.1', port: 3000 }, list)).address, '127.0.0.1');
  assert.equal((await checkTarget({ host: '10.20.30.40', port: 9 }, list)).address, '10.20.30.40');
  assert.equal((await checkTarget({ host: 'db.internal', port: 5432 }, list)).address, '192.168.3.3');
  await assert.rejects(checkTarget({ host: 'db.internal', port: 5433 }, list), refused);
  await assert.rejects(checkTarget({ host: '127.0.0.1', port: 3001 }, list), refused);
});

test('checkTarget() keeps of localhost only the addresses that are listed', async () => {
  const dial = await checkTarget({ host: 'localhost', port: 3000 }, rules(['127.0.0.1:3000']));
  assert.deepEqual(dial, { address: '127.0.0.1', family: 4, port: 3000, others: [] });
});

test('checkTarget() resolves once and answers every checked address, IPv4 first (DESIGN 3: dial exactly that)', async () => {
  let asked = 0;
  const lookup: Lookup = async () => {
    asked++;
    return asked === 1
      ? [{ address: '2606:2800:220:1::1' }, { address: '93.184.216.34' }]
      : [{ address: '127.0.0.1' }];
  };
  const dial = await checkTarget({ host: 'rebinding.example', port: 443 }, rules([], lookup));
  assert.deepEqual(dial, {
    address: '93.184.216.34',
    family: 4,
    port: 443,
    others: [{ address: '2606:2800:220:1::1', family: 6 }],
  });
  assert.equal(asked, 1);
  pinnedLookup(dial)('rebinding.example', {}, (_error, address) => assert.equal(address, '93.184.216.34'));
  assert.equal(asked, 1);
});

test('checkTarget() says when a name does not resolve', async () => {
  const unresolved = { name: 'ServiceError', code: 'backend_down' };
  await assert.rejects(checkTarget({ host: 'no.example', port: 80 }, rules([], failing)), unresolved);
  await assert.rejects(checkTarget({ host: 'no.example', port: 80 }, rules([], answering())), unresolved);
});

test('checkTarget() does not limit what the operator configures (DESIGN "Calls out")', async () => {
  const dial = await checkTarget({ host: '127.0.0.1', port: 8282 }, rules('operator'));
  assert.equal(dial.address, '127.0.0.1');
});
