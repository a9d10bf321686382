import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr, withFiles } from '../../test/support/openssl.ts';
import { OID } from './oid.ts';
import { pkcs12 } from './pkcs12.ts';

const PASSPHRASE = 'correct horse battery 1';

function selfSigned(algorithm: readonly string[]): { key: string; certificate: string } {
  const { key } = opensslCsr(algorithm);
  const certificate = withFiles({ 'key.pem': key }, (path) =>
    openssl(['req', '-x509', '-key', path('key.pem'), '-subj', '/CN=ann']).toString(),
  );
  return { key, certificate };
}

const CASES = [
  ['P-256', 'current'],
  ['RSA-4096', 'current'],
  ['Ed25519', 'current'],
  ['P-256', 'older'],
  ['RSA-4096', 'older'],
] as const;

for (const [kind, form] of CASES) {
  test(`pkcs12() of ${kind}, ${form} form, is opened by openssl with the passphrase, and with no other (RFC 7292)`, async () => {
    const { key, certificate } = selfSigned(OPENSSL_ALGORITHMS[kind]);
    const { certificate: chain } = selfSigned(OPENSSL_ALGORITHMS['P-384']);
    const made = await pkcs12(
      {
        name: 'Žofie’s laptop',
        privateKey: Uint8Array.from(createPrivateKey(key).export({ format: 'der', type: 'pkcs8' })),
        certificates: [certificate, chain].map((pem) => Uint8Array.from(new X509Certificate(pem).raw)),
      },
      PASSPHRASE,
      form,
    );
    const read = (passphrase: string) =>
      openssl(['pkcs12', '-nodes', '-passin', `pass:${passphrase}`], made).toString();
    const text = read(PASSPHRASE);
    const opened = /-----BEGIN PRIVATE KEY-----[^]*?-----END PRIVATE KEY-----/.exec(text)?.[0] ?? '';
    assert.ok(new X509Certificate(certificate).checkPrivateKey(createPrivateKey(opened)));
    const certificates = text.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----\n/g);
    assert.deepEqual(certificates, [certificate, chain]);
    assert.match(text, /friendlyName: /);
    const ids = [...text.matchAll(/localKeyID: ([0-9A-F ]+)/g)].map(([, id]) => id);
    assert.deepEqual([ids.length, new Set(ids).size], [2, 1]);
    assert.throws(() => read('another passphrase 2'), /Mac verify error|invalid password/);
  });
}

test('pkcs12() encrypts with AES-256 and SHA-256, in the older form with triple DES and SHA-1 (RFC 7292)', async () => {
  const store = { name: 'x', privateKey: new Uint8Array(8), certificates: [new Uint8Array(8)] };
  const holds = async (form: 'current' | 'older', oids: readonly Uint8Array[]) => {
    const made = Buffer.from(await pkcs12(store, PASSPHRASE, form));
    return oids.map((oid) => made.includes(oid));
  };
  const { aes256Cbc, hmacWithSha256, sha256, sha1, sha1TripleDes } = OID;
  const all = [aes256Cbc, hmacWithSha256, sha256, sha1, sha1TripleDes];
  assert.deepEqual(await holds('current', all), [true, true, true, false, false]);
  // The certificates' part is encrypted, too.
  assert.deepEqual(await holds('older', all), [false, false, false, true, true]);
});

test('pkcs12() takes no passphrase that is short, or that devices read differently', async () => {
  const store = { name: 'x', privateKey: new Uint8Array(), certificates: [] };
  for (const passphrase of ['', 'elevenchars', 'Žofie has a laptop'])
    await assert.rejects(pkcs12(store, passphrase), RangeError);
  await assert.rejects(pkcs12(store, 'nineteen characters', 'older'), RangeError);
});

test('pkcs12() makes a guess at the MAC as slow as one at the cipher (RFC 7292 section 4)', async () => {
  const { key, certificate } = selfSigned(OPENSSL_ALGORITHMS['P-256']);
  const store = {
    name: 'ann',
    privateKey: Uint8Array.from(createPrivateKey(key).export({ format: 'der', type: 'pkcs8' })),
    certificates: [Uint8Array.from(new X509Certificate(certificate).raw)],
  };
  for (const [form, rounds] of [
    ['current', 2 * 600_000],
    ['older', 2 * 2_048],
  ] as const) {
    const made = await pkcs12(store, PASSPHRASE, form);
    // OpenSSL says the figures on its standard error alone: `MAC: sha256, Iteration 1200000`.
    const words = ['pkcs12', '-info', '-noout', '-passin', `pass:${PASSPHRASE}`];
    const { stderr } = spawnSync('openssl', words, { input: made, encoding: 'utf8' });
    assert.match(stderr, new RegExp(`MAC: sha\\d+, Iteration ${rounds}\\b`));
  }
});
