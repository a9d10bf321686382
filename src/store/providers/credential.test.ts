import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../../domain/secret.ts';
import { createColumnSeal } from '../sealing/column-seal.ts';
import { openCredential, sealCredential } from './credential.ts';
import { newMasterKeyText, parseMasterKey } from '../sealing/master-key.ts';

const seal = createColumnSeal(parseMasterKey(newMasterKeyText()) ?? assert.fail());
const ROW = { id: 'prv_1', accountId: 'acc_1' };
const KEY = { clientSecret: null, clientKey: { pem: new Secret('the key'), keyId: 'key-1' } };

test('sealCredential(): a key or a secret opens as it was, and a secret takes the place of a key', () => {
  const { clientSecret, clientKey } = openCredential(seal, ROW, sealCredential(seal.first, ROW, KEY));
  assert.equal(clientSecret, null);
  assert.deepEqual([clientKey?.pem.reveal(), clientKey?.keyId], ['the key', 'key-1']);
  const columns = sealCredential(seal.first, ROW, { clientSecret: new Secret('a secret') });
  assert.equal(columns.client_private_key, null);
  assert.equal(openCredential(seal, ROW, columns).clientSecret?.reveal(), 'a secret');
});

test('the version before, which knows client_secret alone, never gets the key, and what it sets there counts', () => {
  const place = {
    table: 'provider_definitions',
    column: 'client_secret',
    rowId: ROW.id,
    accountId: ROW.accountId,
  } as const;
  const columns = sealCredential(seal.first, ROW, KEY);
  const sentByBefore = seal.open(place, columns.client_secret).reveal();
  assert.match(sentByBefore, /^[\w-]{22}$/, 'a random text');
  const again = sealCredential(seal.first, ROW, KEY);
  assert.notEqual(seal.open(place, again.client_secret).reveal(), sentByBefore);
  assert.throws(() => seal.open(place, columns.client_private_key ?? ''), { code: 'internal' });
  const setByBefore = { ...columns, client_secret: seal.first.seal(place, new Secret('set by it')) };
  const { clientSecret, clientKey = null } = openCredential(seal, ROW, setByBefore);
  assert.deepEqual([clientSecret?.reveal(), clientKey], ['set by it', null]);
});
