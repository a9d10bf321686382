import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { openssl, OPENSSL_ALGORITHMS, withFiles } from '../../test/support/openssl.ts';
import { commonNameOf } from './common-name.ts';
import { DerError } from './der.ts';

const key = openssl(['genpkey', ...OPENSSL_ALGORITHMS['P-256']]);

function certificateOf(subject: string): Uint8Array {
  const pem = withFiles({ 'key.pem': key }, (path) =>
    openssl(['req', '-x509', '-utf8', '-key', path('key.pem'), '-subj', subject]).toString(),
  );
  return new X509Certificate(pem).raw;
}

test('commonNameOf() reads it from among the others, whatever letters it has', () => {
  assert.equal(commonNameOf(certificateOf('/O=Corp/OU=Sales/CN=Žofie’s laptop')), 'Žofie’s laptop');
  assert.equal(commonNameOf(certificateOf('/O=Corp')), null);
  assert.throws(() => commonNameOf(Uint8Array.of(48, 0)), DerError);
});
