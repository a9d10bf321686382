import assert from 'node:assert/strict';
import {
  createPrivateKey,
  generateKeyPairSync,
  randomBytes,
  sign as nodeSign,
  X509Certificate,
} from 'node:crypto';
import { test } from 'node:test';
import { SECOND_OPINIONS, STRICT_VERIFIER } from '../../test/support/second-opinions.ts';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr, withFiles } from '../../test/support/openssl.ts';
import {
  authorityCertificate,
  leafCertificate,
  type Issuer,
  type LeafPlan,
  type Sign,
} from './certificate.ts';
import { encodeEntry, REVOCATION_REASONS, revocationList, type RevocationReason } from './crl.ts';
import { parseCsr } from './csr.ts';
import { encodeName, isNameText, nameText } from './name.ts';
import { OID } from './oid.ts';
import { serialFrom } from './serial.ts';
import { pem } from './pem.ts';
import { mayHavePolicy } from './read-policies.ts';
import { readSubject } from './read-subject.ts';
import { subjectName } from './subject-name.ts';

const DAY_MS = 86_400_000;
const subject = { commonName: 'Corp authority', organization: 'Corp', organizationalUnit: null };
const authority = makeAuthority();

function makeAuthority(): { issuer: Issuer; sign: Sign; der: Uint8Array; pem: string } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-384' });
  const sign: Sign = (bytes) => nodeSign('sha384', bytes, { key: privateKey, dsaEncoding: 'der' });
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const der = authorityCertificate(
    { serial: serialFrom(randomBytes(16)), subject, spki, ...validity(3650) },
    sign,
  );
  return { issuer: { name: encodeName(subject), spki }, sign, der, pem: pem('CERTIFICATE', der) };
}

function named(commonName: string): string {
  return nameText({ ...subject, commonName, organizationalUnit: 'R&D' });
}

function validity(days: number) {
  const notBefore = Math.floor(Date.now() / 1000) * 1000 - 300_000;
  return { notBefore, notAfter: notBefore + days * DAY_MS };
}

function leaf(plan: Partial<LeafPlan> & Pick<LeafPlan, 'spki'>): Promise<Uint8Array> {
  const whole: LeafPlan = {
    serial: serialFrom(randomBytes(16)),
    subject: { commonName: 'ann', organization: 'Corp', organizationalUnit: 'Sales' },
    emailAddress: 'ann@corp.example',
    issuer: authority.issuer,
    crlUrl: 'https://control.example/pki/acc_1/crl.der',
    policy: null,
    ...validity(30),
    ...plan,
  };
  return leafCertificate(whole, authority.sign);
}

function crlPem(entries: readonly Uint8Array[]): string {
  const now = Math.floor(Date.now() / 1000) * 1000;
  const times = { thisUpdate: now - 60_000, nextUpdate: now + DAY_MS };
  const plan = { issuer: authority.issuer, number: 7, entries, ...times };
  return pem('X509 CRL', revocationList(plan, authority.sign));
}

function verify(certificate: Uint8Array, crl: string, purpose = 'sslclient'): string {
  const files = { 'ca.pem': authority.pem, 'leaf.pem': pem('CERTIFICATE', certificate), 'crl.pem': crl };
  return withFiles(files, (path) => {
    const args = ['-x509_strict', '-purpose', purpose, '-crl_check', '-CAfile', path('ca.pem')];
    try {
      return openssl(['verify', ...args, '-CRLfile', path('crl.pem'), path('leaf.pem')]).toString();
    } catch (error) {
      return String((error as { stderr?: Buffer }).stderr);
    }
  });
}

for (const [name, algorithm] of Object.entries(OPENSSL_ALGORITHMS)) {
  test(`leafCertificate() of ${name} passes openssl verify -x509_strict for a client, and for nothing else`, async () => {
    const { key, csr } = opensslCsr(algorithm);
    const der = await leaf({ spki: parseCsr(csr).spki });
    assert.match(verify(der, crlPem([])), /: OK\n$/);
    assert.match(verify(der, crlPem([]), 'sslserver'), /unsuitable certificate purpose/);
    const parsed = new X509Certificate(der);
    assert.ok(parsed.checkPrivateKey(createPrivateKey(key)));
    assert.ok(parsed.verify(new X509Certificate(authority.der).publicKey));
    assert.deepEqual([parsed.ca, parsed.keyUsage], [false, ['1.3.6.1.5.5.7.3.2']]);
    assert.equal(parsed.subjectAltName, 'email:ann@corp.example');
    assert.match(parsed.subject, /^O=Corp\nOU=Sales\nCN=ann$/);
  });
}

test('leafCertificate() has the critical bits, usage and lifetime that it should, by openssl (DESIGN "Issuing")', async () => {
  const der = await leaf({
    spki: authority.issuer.spki,
    emailAddress: null,
    serial: serialFrom(Buffer.alloc(16)),
  });
  const text = openssl(['x509', '-noout', '-text', '-inform', 'DER'], der).toString();
  assert.match(text, /Basic Constraints: critical\s+CA:FALSE/);
  assert.match(text, /X509v3 Key Usage: critical\s+Digital Signature\n/);
  assert.match(text, /Extended Key Usage: \s+TLS Web Client Authentication\n/);
  assert.match(text, /URI:https:\/\/control\.example\/pki\/acc_1\/crl\.der/);
  assert.match(text, /Version: 3/);
  assert.match(text, /Serial Number:\s+01(:00){16}/);
  assert.match(text, /Alternative Name: \s+DirName:/);
});

test('authorityCertificate() can have no authority below it, by openssl (DESIGN "Issuing")', () => {
  const text = openssl(['x509', '-noout', '-text', '-inform', 'DER'], authority.der).toString();
  assert.deepEqual(subjectName(authority.der), authority.issuer.name);
  assert.match(text, /Basic Constraints: critical\s+CA:TRUE, pathlen:0/);
  assert.match(text, /Key Usage: critical\s+Certificate Sign, CRL Sign/);
  assert.match(text, /ASN1 OID: secp384r1/);
  assert.match(text, /Signature Algorithm: ecdsa-with-SHA384/);
});

test('leafCertificate() writes dates from 2050 on in full', async () => {
  const notAfter = Date.UTC(2050, 0, 1);
  const der = await leaf({ spki: authority.issuer.spki, notBefore: notAfter - 1000, notAfter });
  const { validFrom, validTo } = new X509Certificate(der);
  assert.deepEqual([validFrom, validTo], ['Dec 31 23:59:59 2049 GMT', 'Jan  1 00:00:00 2050 GMT']);
});

test('revocationList() revokes by openssl what is on it, and nothing else', async () => {
  const serial = serialFrom(randomBytes(16));
  const revoked = await leaf({ spki: authority.issuer.spki, serial });
  for (const reason of Object.keys(REVOCATION_REASONS) as RevocationReason[]) {
    const crl = crlPem([encodeEntry({ serial, revokedAt: Date.now(), reason })]);
    assert.match(verify(revoked, crl), /certificate revoked/);
    assert.match(verify(await leaf({ spki: authority.issuer.spki }), crl), /: OK\n$/);
  }
  const entry = encodeEntry({ serial, revokedAt: Date.now(), reason: 'key_compromise' });
  const text = openssl(['crl', '-noout', '-text'], crlPem([entry])).toString();
  assert.match(text, /X509v3 CRL Number: \s+7\n/);
  assert.match(text, /Key Compromise/);
});

test('nameText() escapes as RFC 4514 section 2.4 says', () => {
  assert.equal(named('ann'), 'CN=ann,OU=R&D,O=Corp');
  assert.equal(named('a,b+c"d\\e<f>g;h=i'), String.raw`CN=a\,b\+c\"d\\e\<f\>g\;h\=i,OU=R&D,O=Corp`);
  assert.equal(named('#1'), String.raw`CN=\#1,OU=R&D,O=Corp`);
  assert.equal(named('Žofie'), String.raw`CN=\c5\bdofie,OU=R&D,O=Corp`);
});

test('isNameText() takes what reads as what it is', () => {
  for (const good of ['a', 'Žofie Nováková', 'x'.repeat(64), '😀'.repeat(64), 'a  b'])
    assert.ok(isNameText(good), good);
  for (const bad of ['', ' a', 'a ', 'x'.repeat(65), 'a\nb', 'a\0', 'a\u202eb', 'a\u200bb', '\ud800'])
    assert.ok(!isNameText(bad), JSON.stringify(bad));
});

test('readSubject() reads what is written here, and nothing that could be read in two ways (RFC 5280 4.1.2.4)', async () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const names = [
    { commonName: 'ann', organization: 'Corp', organizationalUnit: 'Sales' },
    { commonName: 'Zoë, "the" <cat>', organization: null, organizationalUnit: null },
  ];
  for (const name of names) assert.deepEqual(readSubject(await leaf({ spki, subject: name })), name);
  const foreign = ['/CN=ann/CN=bob', '/CN=ann/L=Bonn', '/O=Corp', '/CN=ann+OU=x'];
  for (const text of foreign) {
    const made = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -multivalue-rdn -keyout /dev/null`;
    const der = openssl([...made.split(' '), '-outform', 'DER', '-subj', text]);
    assert.equal(readSubject(der), null, text);
  }
  assert.equal(readSubject(Buffer.from('nonsense')), null);
});

test('mayHavePolicy() finds the policy that a leaf says, as openssl does, and fears it where nothing can be read (RFC 5280 4.2.1.4)', async () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  assert.equal(isAgents(await leaf({ spki })), false);
  const agents = await leaf({ spki, policy: OID.tunnelPolicy });
  assert.equal(isAgents(agents), true);
  const text = openssl(
    ['x509', '-noout', '-ext', 'certificatePolicies', '-inform', 'DER'],
    agents,
  ).toString();
  const [, dotted = ''] =
    /Policies: *\n *Policy: (1\.2\.840\.113556\.1\.8000\.2554\.[\d.]+)\n/.exec(text) ?? [];
  const made = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout /dev/null -subj /CN=ann';
  const saying = (policies: string) =>
    openssl([...made.split(' '), '-outform', 'DER', '-addext', `certificatePolicies=${policies}`]);
  assert.equal(isAgents(saying('1.2.3.4')), false);
  for (const policies of [dotted, `critical,${dotted}`, `1.2.3.4,${dotted}`])
    assert.equal(isAgents(saying(policies)), true, policies);
  assert.equal(isAgents(Buffer.from('nonsense')), true);
  assert.equal(isAgents(agents.subarray(0, -1)), true);
});

function isAgents(der: Uint8Array): boolean {
  return mayHavePolicy(der, OID.tunnelPolicy);
}

/** One without an address, one with, one of an agent, as strict verifiers are given them. */
async function withLeaves<T>(use: (path: (name: string) => string) => T): Promise<T> {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const files = {
    'ca.pem': authority.pem,
    'crl.pem': crlPem([]),
    'leaf-none.pem': pem('CERTIFICATE', await leaf({ spki, emailAddress: null })),
    'leaf-mail.pem': pem('CERTIFICATE', await leaf({ spki })),
    'leaf-agent.pem': pem('CERTIFICATE', await leaf({ spki, policy: OID.tunnelPolicy })),
  };
  return withFiles(files, use);
}

test('leafCertificate() gives every leaf an alternative name, the subject where there is no address (RFC 5280 4.2.1.6)', async () => {
  await withLeaves((path) => {
    const verdicts = ['none', 'mail', 'agent'].map((name) => {
      const args = [
        '-x509_strict',
        '-purpose',
        'sslclient',
        '-CAfile',
        path('ca.pem'),
        path(`leaf-${name}.pem`),
      ];
      return openssl(['verify', ...args]).toString();
    });
    for (const verdict of verdicts) assert.match(verdict, /: OK\n$/);
    const shown = (name: string) =>
      openssl(['x509', '-in', path(`leaf-${name}.pem`), '-noout', '-ext', 'subjectAltName']).toString();
    assert.match(shown('none'), /DirName:\/?O ?= ?Corp.*CN ?= ?ann/);
    assert.match(shown('mail'), /email:ann@corp\.example/);
  });
});

test(
  'leafCertificate() passes a verifier that takes no leaf without an alternative name',
  { skip: STRICT_VERIFIER.skip },
  async () => {
    await withLeaves((path) => {
      assert.equal(STRICT_VERIFIER.names(path('ca.pem'), path('leaf-none.pem')), 'DirectoryName');
      assert.equal(STRICT_VERIFIER.names(path('ca.pem'), path('leaf-mail.pem')), 'RFC822Name');
      assert.equal(STRICT_VERIFIER.names(path('ca.pem'), path('leaf-agent.pem')), 'RFC822Name');
    });
  },
);

for (const { name, skip, ask } of SECOND_OPINIONS)
  test(`leafCertificate() without an address is read by ${name}`, { skip }, async () => {
    await withLeaves((path) => {
      const found = ask(path('.'));
      assert.deepEqual(found['leaf-none']?.emails, []);
      assert.ok(found['leaf-none']?.extensions.includes('2.5.29.17'));
      assert.deepEqual(found['leaf-mail']?.emails, ['ann@corp.example']);
      assert.ok(found['leaf-agent']?.extensions.includes('2.5.29.32'));
    });
  });
