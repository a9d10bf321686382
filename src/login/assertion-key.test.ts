import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { test } from 'node:test';
import { assertionKey, assertionKeySet } from './assertion-key.ts';

const first = { signingKey: 'one signing key of at least 32 characters', encryptionKey: 'x'.repeat(24) };
const second = { signingKey: 'two signing key of at least 32 characters', encryptionKey: 'y'.repeat(24) };

test('assertionKey() is the same for the same signing key, and another for another', () => {
  assert.deepEqual(assertionKey(first.signingKey), assertionKey(first.signingKey));
  assert.notEqual(assertionKey(first.signingKey).kid, assertionKey(second.signingKey).kid);
});

test('assertionKeySet() verifies what each key signs, and holds nothing private', () => {
  const set = assertionKeySet([first, second]);
  for (const [index, keys] of [first, second].entries()) {
    const privateKey = createPrivateKey({ key: assertionKey(keys.signingKey), format: 'jwk' });
    const signature = sign('sha256', Buffer.from('content'), privateKey);
    const publicKey = createPublicKey({ key: set.keys[index] ?? {}, format: 'jwk' });
    assert.ok(verify('sha256', Buffer.from('content'), publicKey, signature));
  }
  assert.ok(set.keys.every((key) => !('d' in key)));
});
