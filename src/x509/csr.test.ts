import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { anyCharacter } from '../../test/support/any-character.ts';
import { openssl, opensslCsr, OPENSSL_ALGORITHMS, withFiles } from '../../test/support/openssl.ts';
import { CsrRefused, parseCsr, parseCsrDer } from './csr.ts';
import { pem } from './pem.ts';

const P256 = OPENSSL_ALGORITHMS['P-256'];
const good = opensslCsr(P256).csr;
const der = derOf(good);

for (const [name, algorithm] of Object.entries(OPENSSL_ALGORITHMS)) {
  test(`parseCsr() takes ${name} from openssl, as PEM, with text around it and as bare base64 (DESIGN "Issuing")`, () => {
    const { key, csr } = opensslCsr(algorithm);
    const wanted = openssl(['pkey', '-pubout', '-outform', 'DER'], key);
    const bare = derOf(csr).toString('base64');
    for (const text of [csr, csr.replaceAll('\n', '\r\n'), `Subject: me\n${csr}\n`, bare]) {
      const { spki, kind } = parseCsr(text);
      assert.deepEqual(Buffer.from(spki), wanted);
      assert.equal(kind, name.replace(/-\d{4}$/, ''));
    }
  });
}

test('parseCsr() takes SHA-384 and SHA-512, and whatever subject and attributes are asked for', () => {
  const asks = [
    '-addext',
    'basicConstraints=critical,CA:TRUE',
    '-addext',
    'subjectAltName=DNS:admin.example',
  ];
  for (const digest of ['-sha384', '-sha512']) parseCsr(opensslCsr(P256, [digest, ...asks]).csr);
});

const rsa = (...options: readonly string[]) => [
  '-algorithm',
  'RSA',
  ...options.flatMap((option) => ['-pkeyopt', option]),
];
const REFUSED: readonly (readonly [what: string, csr: () => string, found: RegExp])[] = [
  ['RSA of 1024 bits', () => opensslCsr(rsa('rsa_keygen_bits:1024')).csr, /of 1024 bits/],
  ['RSA of 2040 bits', () => opensslCsr(rsa('rsa_keygen_bits:2040')).csr, /of 2040 bits/],
  ['RSA of 4104 bits', () => opensslCsr(rsa('rsa_keygen_bits:4104')).csr, /of 4104 bits/],
  [
    'RSA with exponent 3',
    () => opensslCsr(rsa('rsa_keygen_bits:2048', 'rsa_keygen_pubexp:3')).csr,
    /exponent/,
  ],
  [
    'RSA-PSS',
    () => opensslCsr(['-algorithm', 'RSA-PSS', '-pkeyopt', 'rsa_keygen_bits:2048']).csr,
    /neither RSA/,
  ],
  [
    'P-521',
    () => opensslCsr(['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:P-521']).csr,
    /P-256 and P-384/,
  ],
  [
    'secp256k1',
    () => opensslCsr(['-algorithm', 'EC', '-pkeyopt', 'ec_paramgen_curve:secp256k1']).csr,
    /P-256 and/,
  ],
  [
    'a curve by its parameters',
    () => opensslCsr([...P256, '-pkeyopt', 'ec_param_enc:explicit']).csr,
    /P-256 and P-384, named/,
  ],
  ['Ed448', () => opensslCsr(['-algorithm', 'ED448']).csr, /neither RSA/],
  ['SHA-1', () => opensslCsr(P256, ['-sha1']).csr, /SHA-256/],
  ['SHA-224', () => opensslCsr(P256, ['-sha224']).csr, /SHA-256/],
  ['a certificate', () => certificateOfNobody(), /BEGIN CERTIFICATE-/],
  ['a private key beside it', () => good + opensslCsr(P256).key, /private key/],
  ['two requests', () => good + good, /more than one/],
  ['half of one', () => good.slice(0, good.length / 2), /no whole request/],
  ['nothing', () => '', /^nothing/],
  ['text', () => 'let me in!', /neither PEM nor base64/],
  ['a surplus byte', () => Buffer.concat([der, Buffer.of(0)]).toString('base64'), /surplus/],
  ['17 KiB', () => Buffer.alloc(17 * 1024).toString('base64'), /more than 16384/],
  ['1 MiB of text', () => 'A'.repeat(1024 * 1024), /more than 16384/],
  ['sequences in sequences', () => nested(8_000).toString('base64'), /./],
];

for (const [what, csr, found] of REFUSED) {
  test(`parseCsr() refuses ${what} (DESIGN "Issuing")`, () => {
    const text = csr();
    assert.throws(
      () => parseCsr(text),
      (error: unknown) => error instanceof CsrRefused && found.test(error.message),
    );
  });
}

test('parseCsr() refuses a signature of another key, and one over other bytes', () => {
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({
    format: 'der',
    type: 'spki',
  });
  const mine = Buffer.from(parseCsrDer(der).spki);
  const at = der.indexOf(mine);
  assert.ok(at > 0 && other.length === mine.length);
  const swapped = Buffer.concat([der.subarray(0, at), other, der.subarray(at + mine.length)]);
  assert.throws(() => parseCsrDer(swapped), /that its key did not make/);
});

test('parseCsr() refuses an Ed25519 key that anybody can sign for', () => {
  const { csr } = opensslCsr(OPENSSL_ALGORITHMS.Ed25519);
  const bytes = derOf(csr);
  const key = Buffer.from(parseCsrDer(bytes).spki).subarray(-32);
  for (const point of ['01', 'ec', 'ed']) {
    const fill = point === '01' ? '00' : 'ff';
    const low = Buffer.from(point + fill.repeat(30) + (point === '01' ? '80' : '7f'), 'hex');
    const forged = Buffer.from(bytes);
    low.copy(forged, bytes.indexOf(key));
    assert.throws(() => parseCsrDer(forged), /anybody can sign/);
  }
});

test('parseCsrDer() takes nothing but the request: any cut or flip is refused, as CsrRefused alone', () => {
  fc.assert(
    fc.property(fc.nat(der.length - 1), fc.integer({ min: 1, max: 255 }), (at, flip) => {
      const flipped = Buffer.from(der);
      flipped.writeUInt8(flipped.readUInt8(at) ^ flip, at);
      assert.throws(() => parseCsrDer(flipped), CsrRefused);
      assert.throws(() => parseCsrDer(der.subarray(0, at)), CsrRefused);
    }),
  );
});

test('parseCsr() throws nothing but CsrRefused, whatever it is given', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: anyCharacter }), fc.base64String()), (text) => {
      assert.throws(() => parseCsr(text), CsrRefused);
    }),
  );
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      assert.throws(() => parseCsrDer(bytes), CsrRefused);
    }),
  );
});

function derOf(text: string): Buffer {
  return openssl(['req', '-outform', 'DER'], text);
}

function certificateOfNobody(): string {
  const { key } = opensslCsr(P256);
  return withFiles({ 'key.pem': key }, (path) =>
    openssl(['req', '-x509', '-key', path('key.pem'), '-subj', '/CN=x']).toString(),
  );
}

/** That many sequences, each in the next. */
function nested(depth: number): Buffer {
  let whole = Buffer.alloc(0);
  for (let level = 0; level < depth && whole.length < 12_000; level++) {
    const length = whole.length;
    const head = length < 128 ? [0x30, length] : [0x30, 0x82, length >> 8, length & 0xff];
    whole = Buffer.concat([Buffer.from(head), whole]);
  }
  return whole;
}

test('pem() is what openssl reads', () => {
  assert.equal(pem('CERTIFICATE REQUEST', der), good);
});
