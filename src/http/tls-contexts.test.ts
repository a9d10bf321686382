import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeCertificate } from '../../test/support/certificate.ts';
import { createTlsContexts } from './tls-contexts.ts';

test('createTlsContexts() chooses by exact name, then wildcard of one label, else the first (RFC 6066 section 3, RFC 9525 section 6.3)', () => {
  const [own, wild, exact] = [['auth.localhost'], ['*.share.localhost'], ['demo.share.localhost']].map(
    makeCertificate,
  );
  const contexts = createTlsContexts([own!, wild!, exact!]);
  const [ownContext, wildContext, exactContext] = [
    contexts.fallback,
    contexts.forName('other.share.localhost'),
    contexts.forName('demo.share.localhost'),
  ];
  assert.equal(new Set([ownContext, wildContext, exactContext]).size, 3);
  assert.equal(contexts.forName('DEMO.share.localhost'), exactContext);
  assert.equal(contexts.forName('demo.share.localhost.'), exactContext);
  assert.equal(contexts.forName('Other.Share.Localhost.'), wildContext);
  for (const name of ['a.b.share.localhost', 'share.localhost', 'elsewhere', ''])
    assert.equal(contexts.forName(name), ownContext, name);
});

test('createTlsContexts() throws without a certificate, and for a pair that does not fit', () => {
  assert.throws(() => createTlsContexts([]), RangeError);
  const [one, other] = [makeCertificate(['a.localhost']), makeCertificate(['a.localhost'])];
  assert.throws(() => createTlsContexts([{ certificate: one.certificate, key: other.key }]));
});
