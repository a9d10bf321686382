import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newApiKey } from './api-key.ts';
import { newCertificateRequestToken } from './certificate-request-token.ts';
import { secretStart } from './secret-start.ts';
import { newServiceToken } from './service-token.ts';

test('secretStart() answers the kind and six characters of a key or token, and leaves 220 bits (2.5)', () => {
  for (const [kind, make] of [
    ['dw_', newApiKey],
    ['dws_', newServiceToken],
    ['crt_', newCertificateRequestToken],
  ] as const)
    for (let time = 0; time < 50; time++) {
      const secret = make();
      const start = secretStart(secret);
      assert.equal(start.length, kind.length + 6);
      assert.ok(start.startsWith(kind));
      assert.ok(secret.reveal().startsWith(start));
      // Each character has six random bits, but the last, which has four.
      assert.ok((secret.reveal().length - start.length - 1) * 6 + 4 === 220);
    }
});
