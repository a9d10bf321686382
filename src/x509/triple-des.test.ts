import assert from 'node:assert/strict';
import { createCipheriv, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { encryptTripleDes } from './triple-des.ts';

test('encryptTripleDes() encrypts as OpenSSL does, every length of the last block (SP 800-67)', () => {
  for (let length = 0; length < 64; length++) {
    const [key, iv, plain] = [randomBytes(24), randomBytes(8), randomBytes(length)];
    const cipher = createCipheriv('des-ede3-cbc', key, iv);
    const expected = Buffer.concat([cipher.update(plain), cipher.final()]);
    assert.deepEqual(Buffer.from(encryptTripleDes(plain, key, iv)), expected, `${length} bytes`);
  }
});
