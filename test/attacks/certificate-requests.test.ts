// THREATS "Certificates", what is asked for: a request that inputs for more than its token, a weak or
// malformed key, an old hash, bytes behind the end, deep nesting. Whatever is refused leaves the token good.

import assert from 'node:assert/strict';
import { generateKeyPairSync, sign, X509Certificate } from 'node:crypto';
import { after, before, test } from 'node:test';
import { redeem } from '../../src/pki/redeem.ts';
import { sequence, TAG, unsignedInteger, write } from '../../src/x509/der.ts';
import { OID } from '../../src/x509/oid.ts';
import { pem } from '../../src/x509/pem.ts';
import { craftedRequest, extensionsAsked, nameOf, nested, OWN_SPKI } from '../support/crafted-request.ts';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { addToken, testPki, type TestPki } from '../support/pki.ts';
import { addAccount, openTestStore, type TestStore } from '../support/store.ts';

let store: TestStore;
let pki: TestPki;
let token: string;

before(async () => {
  store = await openTestStore();
  pki = testPki(store);
  token = await addToken(pki, await addAccount(store));
});
after(() => store.dispose());

const P256 = OPENSSL_ALGORITHMS['P-256'];
const rsa = (...options: readonly string[]) => [
  '-algorithm',
  'RSA',
  ...options.flatMap((option) => ['-pkeyopt', option]),
];
const curve = (name: string) => ['-algorithm', 'EC', '-pkeyopt', `ec_paramgen_curve:${name}`];
const text = (der: Uint8Array) => Buffer.from(der).toString('base64');

/** The point of the key, 64 bytes at its end, with one bit of y turned: it is on no curve of ours. */
function besideTheCurve(spki: Uint8Array): Uint8Array {
  const turned = Buffer.from(spki);
  turned.writeUInt8(turned.readUInt8(turned.length - 1) ^ 1, turned.length - 1);
  return turned;
}

/** The same key with its point in the short form: x, and which of two y (SEC 1 section 2.3.3). */
function compressed(spki: Uint8Array): Uint8Array {
  const y = spki.at(-1) ?? 0;
  const point = [2 + (y & 1), ...spki.subarray(27, 59)];
  return sequence(spki.subarray(2, 23), write(TAG.bitString, Uint8Array.of(0, ...point)));
}

/** A key of so many bits, all of them one: three divides it. */
function onesOf(bits: number): Uint8Array {
  const modulus = unsignedInteger(Buffer.alloc(bits / 8, 0xff));
  const key = sequence(modulus, unsignedInteger(Uint8Array.of(1, 0, 1)));
  return sequence(sequence(OID.rsaEncryption, write(TAG.null)), write(TAG.bitString, Uint8Array.of(0), key));
}

const REFUSED: readonly (readonly [what: string, csr: () => string, found: RegExp])[] = [
  ['RSA of 1024 bits', () => opensslCsr(rsa('rsa_keygen_bits:1024')).csr, /of 1024 bits/],
  ['RSA of 5120 bits', () => text(craftedRequest({ spki: onesOf(5120) })), /of 5120 bits/],
  [
    'RSA with exponent 3',
    () => opensslCsr(rsa('rsa_keygen_bits:2048', 'rsa_keygen_pubexp:3')).csr,
    /exponent/,
  ],
  ['an RSA modulus that three divides', () => text(craftedRequest({ spki: onesOf(2048) })), /small prime/],
  [
    'EC parameters in place of a name',
    () => opensslCsr([...P256, '-pkeyopt', 'ec_param_enc:explicit']).csr,
    /named/,
  ],
  [
    'a point beside its curve',
    () => text(craftedRequest({ spki: besideTheCurve(OWN_SPKI) })),
    /point of its curve/,
  ],
  ['a compressed point', () => text(craftedRequest({ spki: compressed(OWN_SPKI) })), /uncompressed/],
  ['P-521', () => opensslCsr(curve('P-521')).csr, /P-256 and P-384/],
  ['P-224', () => opensslCsr(curve('P-224')).csr, /P-256 and P-384/],
  ['brainpoolP256r1', () => opensslCsr(curve('brainpoolP256r1')).csr, /P-256 and P-384/],
  ['brainpoolP384r1', () => opensslCsr(curve('brainpoolP384r1')).csr, /P-256 and P-384/],
  ['SHA-1', () => opensslCsr(P256, ['-sha1']).csr, /SHA-256/],
  ['SHA-1 with RSA', () => opensslCsr(rsa('rsa_keygen_bits:2048'), ['-sha1']).csr, /SHA-256/],
  ['MD5 with RSA', () => opensslCsr(rsa('rsa_keygen_bits:2048'), ['-md5']).csr, /SHA-256/],
  ['a byte behind the request', () => text(Buffer.concat([craftedRequest(), Buffer.of(0)])), /surplus/],
  ['a value behind the signature', () => text(craftedRequest({ more: sequence() })), /surplus/],
  ['a value behind the attributes', () => text(craftedRequest({ moreInfo: sequence() })), /surplus/],
  ['a value behind the key', () => text(craftedRequest({ spki: withMore(OWN_SPKI) })), /surplus/],
  ['a signature of seven bits', () => text(craftedRequest({ unusedBits: 1 })), /whole bytes/],
  [
    'a subject that is cut off',
    () => text(craftedRequest({ subject: write(TAG.sequence, Uint8Array.of(0x31, 9)) })),
    /cut off/,
  ],
  ['a subject of 1,000 floors', () => text(craftedRequest({ subject: nested(1_000) })), /nested/],
  [
    'attributes of 3,000 floors',
    () => text(craftedRequest({ attributes: extensionsAsked(nested(3_000)) })),
    /nested/,
  ],
  [
    'an attribute that is cut off',
    () => text(craftedRequest({ attributes: write(0xa0, Uint8Array.of(0x30, 2, 6)) })),
    /cut off/,
  ],
  [
    'more than 16 KiB',
    () => text(craftedRequest({ subject: nameOf('x'.repeat(16 * 1024)) })),
    /more than 16384/,
  ],
  ['version 2', () => text(craftedRequest({ version: unsignedInteger(Uint8Array.of(1)) })), /version/],
  [
    'a signature over something else',
    () => text(craftedRequest({ signatureOf: (info) => signed(info.subarray(1)) })),
    /did not make/,
  ],
  ['no signature', () => text(craftedRequest({ signatureOf: () => new Uint8Array() })), /did not make/],
];

for (const [what, csr, found] of REFUSED) {
  test(`Certificates: a request with ${what} is refused, and says why`, async () => {
    const refused = redeem(pki.deps, { token, csr: csr() });
    await assert.rejects(refused, (error: { code?: string; message?: string }) => {
      assert.equal(error.code, 'csr_refused');
      return found.test(error.message ?? '');
    });
  });
}

test('Certificates: what is crafted here is refused for what is wrong with it: without that, it is redeemed', async () => {
  const good = text(craftedRequest({ attributes: extensionsAsked(nested(3)) }));
  assert.equal((await redeem(pki.deps, { token, csr: good })).again, false, 'and the token is still good');
});

test('Certificates: whatever a request asks for, its certificate says what the token says (CA:TRUE, usages, names)', async () => {
  const inputs = [
    'basicConstraints=critical,CA:TRUE,pathlen:5',
    'keyUsage=critical,keyCertSign,cRLSign,keyEncipherment',
    'extendedKeyUsage=serverAuth,clientAuth,codeSigning,emailProtection',
    'subjectAltName=DNS:admin.example,email:admin@corp.example,IP:127.0.0.1,URI:https://admin.example',
    'nameConstraints=permitted;DNS:example',
  ];
  const args = ['-subj', '/O=Corp/OU=Admins/CN=admin', ...inputs.flatMap((input) => ['-addext', input])];
  const accountId = await addAccount(store);
  const plain = await redeem(pki.deps, { token: await addToken(pki, accountId), csr: opensslCsr(P256).csr });
  const wishful = await redeem(pki.deps, {
    token: await addToken(pki, accountId),
    csr: opensslCsr(P256, args).csr,
  });
  const { der } = wishful.certificate;
  const read = new X509Certificate(der);
  assert.deepEqual(
    [read.ca, read.subject, read.subjectAltName],
    [false, 'O=Corp\nOU=Sales\nCN=ann', 'email:ann@corp.example'],
  );
  assert.doesNotMatch(Buffer.from(der).toString('latin1'), /admin/i);
  assert.deepEqual(frameOf(wishful.certificate.der), frameOf(plain.certificate.der));
  assert.equal(wishful.certificate.apiRole, null);
});

/** What openssl reads in it, but for keys, serial, signature and dates. */
function frameOf(der: Uint8Array): string {
  const printed = openssl(
    ['x509', '-noout', '-text', '-certopt', 'no_pubkey,no_sigdump,no_serial,no_validity'],
    pem('CERTIFICATE', der),
  );
  return printed.toString().replace(/(Key Identifier: \s+)[0-9A-F:]+/, '$1');
}

/** A sequence with one value more than it should have. */
function withMore(whole: Uint8Array): Uint8Array {
  return sequence(whole.subarray(2), sequence());
}

function signed(bytes: Uint8Array): Uint8Array {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return sign('sha256', bytes, privateKey);
}
