// DESIGN "Issuing", line by line; each test says its line. What requests are refused, and that whatever they
// ask for is ignored, is under `test/attacks/`; that all tools' requests are taken, under
// `test/conformance/`.

import assert from 'node:assert/strict';
import { createPublicKey, X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr, withFiles } from '../../test/support/openssl.ts';
import { addToken, testPki, verifyClient } from '../../test/support/pki.ts';
import { addAccount, openTestStore } from '../../test/support/store.ts';
import type { Certificate } from '../domain/certificate.ts';
import { CERTIFICATE_ROLES } from '../domain/role.ts';
import { parseCsr } from '../x509/csr.ts';
import { OID } from '../x509/oid.ts';
import { pem } from '../x509/pem.ts';
import { mayHavePolicy } from '../x509/read-policies.ts';
import { authoritiesOf, issuingAuthority } from './authority.ts';
import { makeCertificate } from './issue.ts';
import { redeem, type RedeemDeps } from './redeem.ts';
import { createRevocationLists } from './revocation-list.ts';

const P256 = OPENSSL_ALGORITHMS['P-256'];
const { csr } = opensslCsr(P256);
const another = opensslCsr(P256).csr;
const DAY_MS = 86_400_000;

test('Issuing: "account CA: P-384, pathLen 0", and it signs certificates and lists alone', async () => {
  await using store = await openTestStore();
  const [ca] = await authoritiesOf(testPki(store).deps, await addAccount(store));
  assert.ok(ca);
  const text = openssl(['x509', '-noout', '-text', '-inform', 'DER'], ca.certificate).toString();
  assert.match(text, /NIST CURVE: P-384/);
  assert.match(text, /Signature Algorithm: ecdsa-with-SHA384/);
  assert.match(text, /Basic Constraints: critical\s+CA:TRUE, pathlen:0\n/);
  assert.match(text, /X509v3 Key Usage: critical\s+Certificate Sign, CRL Sign\n/);
  assert.doesNotMatch(text, /Extended Key Usage/);
});

test('Issuing: "key encrypted under the master key", for its own row and account alone', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const [accountId, stranger] = [await addAccount(store), await addAccount(store)];
  const [ca] = await authoritiesOf(pki.deps, accountId);
  assert.ok(ca);
  const key = (await store.cas.privateKey(accountId, ca.id))?.reveal() ?? '';
  const own = new X509Certificate(ca.certificate).publicKey;
  assert.ok(createPublicKey(key).equals(own));
  assert.equal(await store.cas.privateKey(stranger, ca.id), null);
});

test('Issuing: "Leaf: CA:FALSE critical, digitalSignature, clientAuth only"', async () => {
  const text = openssl(['x509', '-noout', '-text', '-inform', 'DER'], (await issueOne()).der).toString();
  assert.match(text, /Basic Constraints: critical\s+CA:FALSE\n/);
  assert.match(text, /X509v3 Key Usage: critical\s+Digital Signature\n/);
  assert.match(text, /Extended Key Usage: \s+TLS Web Client Authentication\n/);
});

test('Issuing: of the role tunnel, and of no other, it says that it opens no share', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const authority = await issuingAuthority(pki.deps, await addAccount(store));
  for (const apiRole of [null, ...CERTIFICATE_ROLES]) {
    const { der } = await makeCertificate(authority, parseCsr(csr), { ...WISH, apiRole });
    assert.equal(mayHavePolicy(der, OID.tunnelPolicy), apiRole === 'tunnel', String(apiRole));
  }
});

test('Issuing: "serial of 128 random bits", each bit of which is sometimes 1 and sometimes 0', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const authority = await issuingAuthority(pki.deps, await addAccount(store));
  const made = Array.from({ length: 100 }, () => makeCertificate(authority, parseCsr(csr), WISH));
  const serials = (await Promise.all(made)).map(({ serial }) => serial);
  assert.equal(new Set(serials).size, serials.length);
  let [ones, zeroes] = [0n, 0n];
  for (const serial of serials) {
    // Led by 1, so that it is positive and of one length (RFC 5280 section 4.1.2.2: at most 20 bytes).
    assert.match(serial, /^01[0-9A-F]{32}$/);
    ones |= BigInt(`0x${serial.slice(2)}`);
    zeroes |= ~BigInt(`0x${serial.slice(2)}`) & ALL_BITS;
  }
  assert.deepEqual([ones, zeroes], [ALL_BITS, ALL_BITS]);
});

test('Issuing: "from 5 minutes ago", to the second', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const token = await addToken(pki, await addAccount(store));
  const { certificate } = await redeem(pki.deps, { token, csr });
  const { validFrom, validTo } = new X509Certificate(certificate.der);
  const second = Math.floor(pki.clock.time / 1000) * 1000;
  assert.deepEqual([Date.parse(validFrom), Date.parse(validTo)], [second - 300_000, second + 30 * DAY_MS]);
});

test('Issuing: "never past the CA"', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const [ca] = await authoritiesOf(pki.deps, accountId);
  assert.ok(ca);
  pki.clock.time = ca.notAfter - 3 * DAY_MS;
  const { certificate } = await redeem(pki.deps, { token: await addToken(pki, accountId), csr });
  assert.equal(certificate.notAfter, ca.notAfter);
  const validTo = Date.parse(new X509Certificate(certificate.der).validTo);
  assert.equal(validTo, Date.parse(new X509Certificate(ca.certificate).validTo));
  const crl = pem('X509 CRL', (await createRevocationLists(pki.deps)(ca)).der);
  const files = {
    certificate: pem('CERTIFICATE', certificate.der),
    ca: pem('CERTIFICATE', ca.certificate),
    crl,
  };
  assert.match(verifyClient(files, pki.clock.time), /: OK\n$/);
});

test('Issuing: "The subject comes from the token; from the CSR only the public key"', async () => {
  const asked = opensslCsr(P256, [
    '-subj',
    '/O=Evil/OU=Board/CN=admin',
    '-addext',
    'subjectAltName=email:a@evil.example',
  ]);
  const { der } = await issueOne(asked.csr);
  const read = new X509Certificate(der);
  assert.deepEqual(
    [read.subject, read.subjectAltName],
    ['O=Corp\nOU=Sales\nCN=ann', 'email:ann@corp.example'],
  );
  assert.ok(read.publicKey.equals(createPublicKey(asked.key)));
});

test('Issuing: "A bad CSR doesn’t burn the token"', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const token = await addToken(pki, await addAccount(store));
  for (const bad of ['', 'no request', opensslCsr(P256, ['-sha1']).csr])
    await assert.rejects(redeem(pki.deps, { token, csr: bad }), { code: 'csr_refused' });
  assert.equal((await redeem(pki.deps, { token, csr })).again, false);
});

test('Issuing: "Sign first": when it cannot sign, or goes down before it keeps what it signed, the token is good', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const token = await addToken(pki, accountId);
  await authoritiesOf(pki.deps, accountId);
  const keyless = { ...store, cas: { ...store.cas, issuing: () => Promise.resolve(null) } };
  await assert.rejects(redeem({ ...pki.deps, store: keyless }, { token, csr }), { code: 'internal' });
  const signed: Certificate[] = [];
  const dying = withRedeem(pki.deps, (_id, certificate) => {
    signed.push(certificate);
    return Promise.reject(new Error('the power went'));
  });
  await assert.rejects(redeem(dying, { token, csr }), /power/);
  assert.equal(signed.length, 1);
  assert.equal((await redeem(pki.deps, { token, csr: another })).again, false);
});

test('Issuing: "one transaction claims the token and stores the certificate": neither is without the other', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const first = await redeem(pki.deps, { token: await addToken(pki, accountId), csr });
  const token = await addToken(pki, accountId);
  // The certificate cannot be kept, since there is one of its serial: then the token is not used up either.
  const clashing = withRedeem(pki.deps, (id, certificate) =>
    store.certificateRequestTokens.redeem(id, { ...certificate, serial: first.certificate.serial }),
  );
  await assert.rejects(redeem(clashing, { token, csr: another }));
  assert.equal((await redeem(pki.deps, { token, csr: another })).again, false);
});

test('Issuing: "answer after commit"', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const token = await addToken(pki, await addAccount(store));
  const order: string[] = [];
  const committed = Promise.withResolvers<void>();
  const slow = withRedeem(pki.deps, async (id, certificate) => {
    await committed.promise;
    const kept = await store.certificateRequestTokens.redeem(id, certificate);
    order.push('commit');
    return kept;
  });
  const answered = redeem(slow, { token, csr }).then(() => order.push('answer'));
  committed.resolve();
  await answered;
  assert.deepEqual(order, ['commit', 'answer']);
});

test('Issuing: "the same key again within 10 minutes gets the same certificate", to the byte, in a new request, too', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const token = await addToken(pki, await addAccount(store));
  const made = opensslCsr(P256);
  const first = await redeem(pki.deps, { token, csr: made.csr });
  const request = ['req', '-new', '-subj', '/CN=other', '-key'];
  const renewed = withFiles({ 'key.pem': made.key }, (path) =>
    openssl([...request, path('key.pem')]).toString(),
  );
  assert.notEqual(renewed, made.csr);
  const again = await redeem(pki.deps, { token, csr: renewed });
  assert.deepEqual(Buffer.from(again.certificate.der), Buffer.from(first.certificate.der));
  await assert.rejects(redeem(pki.deps, { token, csr: another }), { code: 'token_used' });
});

const WISH = {
  name: 'laptop',
  subject: { commonName: 'ann', organization: 'Corp', organizationalUnit: 'Sales', emailAddress: null },
  validityMs: DAY_MS,
  crlUrl: 'https://control.example/crl',
  apiRole: null,
  allowedBy: 'member:mem_1',
  tokenId: null,
  renewedFrom: null,
  createdAt: Date.UTC(2026, 0, 1),
  lineSince: Date.UTC(2026, 0, 1),
  renewableMs: null,
};
const ALL_BITS = 2n ** 128n - 1n;

async function issueOne(request = csr): Promise<Certificate> {
  await using store = await openTestStore();
  const pki = testPki(store);
  const token = await addToken(pki, await addAccount(store));
  return (await redeem(pki.deps, { token, csr: request })).certificate;
}

function withRedeem(
  deps: RedeemDeps,
  redeemed: RedeemDeps['store']['certificateRequestTokens']['redeem'],
): RedeemDeps {
  const { certificateRequestTokens } = deps.store;
  return {
    ...deps,
    store: { ...deps.store, certificateRequestTokens: { ...certificateRequestTokens, redeem: redeemed } },
  };
}
