import assert from 'node:assert/strict';
import { test } from 'node:test';
import { unsetSettings } from '../../test/support/share-settings.ts';
import { newId } from '../domain/id.ts';
import { type Share } from '../domain/share.ts';
import { packShares, unpackShares } from './packed-shares.ts';

const unset = unsetSettings();
const accountId = newId('acc');
const login: Share['login'] = {
  providers: [{ name: 'corp', provider: null }],
  named: ['corp'],
  emailPatterns: ['*@example.com'],
  checkIntervalMs: 1_000,
};

function shareNamed(name: string, more: Partial<Share> = {}): Share {
  const hosts = [`${name}.share.example.com`];
  return { id: newId('shr'), accountId, name, hosts, target: 'http://127.0.0.1:1', login, ...unset, ...more };
}

test('unpackShares() gives back every share as it was, after a clone', () => {
  const shares = [
    shareNamed('plain'),
    shareNamed('bare', { login: null, target: null, hosts: [] }),
    // Each setting for itself: none is lost, and none is another share's.
    ...Object.keys(unset).map((setting, n) => shareNamed(`own-${n}`, { [setting]: [`of ${setting}`] })),
    shareNamed('foreign', { accountId: newId('acc') }),
    shareNamed('plain-again'),
  ];
  assert.deepEqual(unpackShares(structuredClone(packShares(shares))), shares);
  assert.deepEqual(unpackShares(packShares([])), []);
});

test('packShares() sends once what many shares have alike', () => {
  const { alike, groups } = packShares([
    shareNamed('a'),
    shareNamed('b', { enabled: false }),
    shareNamed('c'),
  ]);
  assert.equal(alike.length, 2);
  assert.deepEqual([...groups], [0, 1, 0]);
});

test('unpackShares() keeps shares of different accounts apart, whose settings are the same', () => {
  const other = newId('acc');
  const shares = [shareNamed('a'), shareNamed('b', { accountId: other })];
  assert.deepEqual(
    unpackShares(packShares(shares)).map((share) => share.accountId),
    [accountId, other],
  );
});
