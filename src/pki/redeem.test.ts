import assert from 'node:assert/strict';
import { createPrivateKey, createPublicKey, X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { OPEN_POLICY } from '../domain/certificate.ts';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr } from '../../test/support/openssl.ts';
import { addToken, testPki, verifyClient } from '../../test/support/pki.ts';
import { addAccount, openTestStore } from '../../test/support/store.ts';
import { modulusOf, requestOf, spkiOf, weakPrimes } from '../../test/support/weak-rsa.ts';
import { authoritiesOf, issuingAuthority, rotateAuthority } from './authority.ts';
import { makeCertificate } from './issue.ts';
import { redeem } from './redeem.ts';
import { renew } from './renew.ts';
import { createRevocationLists } from './revocation-list.ts';
import { pem } from '../x509/pem.ts';
import { addSpareKey } from '../../test/support/spare-key.ts';

const { csr, key: csrKey } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
const another = opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr;

test('redeem() makes a certificate of the account for the key of the CSR, with the subject of the token (contract 1.7)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store, 'corp');
  const asked = opensslCsr(OPENSSL_ALGORITHMS['P-256'], ['-subj', '/O=Evil/CN=admin']);
  const token = await addToken(pki, accountId);
  const { certificate, ca, again } = await redeem(pki.deps, { token, csr: asked.csr });
  assert.equal(again, false);
  const leaf = new X509Certificate(certificate.der);
  assert.equal(leaf.subject, 'O=Corp\nOU=Sales\nCN=ann');
  assert.ok(leaf.checkPrivateKey(createPrivateKey(asked.key)));
  assert.equal(leaf.serialNumber, certificate.serial);
  assert.equal(leaf.fingerprint256.replaceAll(':', '').toLowerCase(), certificate.fingerprint);
  assert.equal(Date.parse(leaf.validTo), certificate.notAfter);
  const lists = createRevocationLists(pki.deps);
  const files = {
    certificate: pem('CERTIFICATE', certificate.der),
    ca: pem('CERTIFICATE', ca.certificate),
    crl: pem('X509 CRL', (await lists(ca)).der),
  };
  assert.match(verifyClient(files), /: OK\n$/);
  const of = { accountId, chosen: { id: certificate.id }, reason: 'key_compromise', by: 'operator' } as const;
  await store.certificates.revoke({ ...of, at: pki.clock.time });
  const crl = pem('X509 CRL', (await lists(ca)).der);
  assert.match(verifyClient({ ...files, crl }), /certificate revoked/);
});

test('redeem() takes 200 tries at once for one token: one certificate (contract 2.7)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const token = await addToken(pki, accountId);
  const csrs = [csr, another];
  const tries = Array.from({ length: 200 }, (_, index) =>
    redeem(pki.deps, { token, csr: csrs[index % 2] ?? csr }).catch((error: { code?: string }) => error.code),
  );
  const answers = await Promise.all(tries);
  const made = answers.filter((answer) => typeof answer === 'object');
  assert.equal(new Set(made.map(({ certificate }) => certificate.id)).size, 1);
  assert.equal(made.filter(({ again }) => !again).length, 1);
  const refused = answers.filter((answer) => typeof answer === 'string');
  assert.deepEqual([made.length, refused.length, new Set(refused)], [100, 100, new Set(['token_used'])]);
});

test('redeem() takes no token of a maker whose login counts no more, and leaves it as it was (contract 2.7)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const token = await addToken(pki, await addAccount(store));
  const deps = { ...pki.deps, isMakerLoggedIn: () => Promise.resolve(false) };
  await assert.rejects(redeem(deps, { token, csr }), { code: 'token_unknown' });
  assert.equal((await redeem(pki.deps, { token, csr })).again, false);
});

test('redeem() answers the same certificate to the same key for ten minutes, and to nobody after (DESIGN "Issuing")', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const token = await addToken(pki, accountId);
  const first = await redeem(pki.deps, { token, csr });
  pki.clock.time += 10 * 60_000 - 1;
  const second = await redeem(pki.deps, { token, csr });
  assert.deepEqual([second.certificate, second.again], [first.certificate, true]);
  await assert.rejects(redeem(pki.deps, { token, csr: another }), { code: 'token_used' });
  pki.clock.time += 1;
  await assert.rejects(redeem(pki.deps, { token, csr }), { code: 'token_used' });
});

test('redeem() answers no revoked certificate again', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const token = await addToken(pki, accountId);
  const { certificate } = await redeem(pki.deps, { token, csr });
  const of = { accountId, chosen: { id: certificate.id }, reason: 'unspecified', by: 'operator' } as const;
  await store.certificates.revoke({ ...of, at: pki.clock.time });
  await assert.rejects(redeem(pki.deps, { token, csr }), { code: 'token_used' });
});

test('redeem() leaves the token good after a CSR that it refuses (DESIGN "Issuing")', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const token = await addToken(pki, await addAccount(store));
  const weak = opensslCsr(['-algorithm', 'RSA', '-pkeyopt', 'rsa_keygen_bits:1024']).csr;
  for (const bad of [weak, 'nonsense', csr.slice(0, 100)])
    await assert.rejects(redeem(pki.deps, { token, csr: bad }), { code: 'csr_refused' });
  assert.equal((await redeem(pki.deps, { token, csr })).again, false);
});

test('redeem() and renew() refuse an RSA key that anybody can factor, and the token stays good', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const token = await addToken(pki, accountId);
  const primes = weakPrimes('close primes', 2048);
  const weak = await requestOf(primes);
  await assert.rejects(redeem(pki.deps, { token, csr: weak }), { code: 'csr_refused' });
  const { certificate } = await redeem(pki.deps, { token, csr });
  await assert.rejects(renew(pki.deps, certificate, weak), { code: 'csr_refused' });
  // One that was certified before anybody looked.
  const authority = await issuingAuthority(pki.deps, accountId);
  const { der } = await makeCertificate(
    authority,
    { kind: 'RSA', spki: spkiOf(modulusOf(primes)), key: createPublicKey(csrKey) },
    { ...certificate, crlUrl: 'https://control.example/pki/x.crl' },
  );
  await assert.rejects(renew(pki.deps, { ...certificate, der }, null), {
    code: 'csr_refused',
    hint: /--new-key/,
  });
});

test('redeem() refuses tokens that are unknown, over, or deleted (contract 2.7)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const unknown = `crt_${'x'.repeat(43)}`;
  for (const token of [unknown, '', 'crt_', `${unknown}x`])
    await assert.rejects(redeem(pki.deps, { token, csr }), { code: 'token_unknown' });
  const token = await addToken(pki, accountId);
  pki.clock.time += 3_600_000;
  await assert.rejects(redeem(pki.deps, { token, csr }), { code: 'token_expired' });
  const deleted = await addToken(pki, accountId);
  const all = await store.certificateRequestTokens.list(accountId, { after: null, limit: 9 });
  for (const { id } of all.rows) await store.certificateRequestTokens.remove(accountId, id);
  await assert.rejects(redeem(pki.deps, { token: deleted, csr }), { code: 'token_unknown' });
});

test('redeem() refuses a token whose maker was deleted meanwhile as one that is unknown (contract 2.7)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const token = await addToken(pki, accountId);
  const redeemed = await addToken(pki, accountId);
  const first = await redeem(pki.deps, { token: redeemed, csr });
  const [key] = (await store.apiKeys.list(accountId, { after: null, limit: 1 })).rows;
  assert.ok(key);
  await addSpareKey(store, accountId);
  await store.apiKeys.remove(accountId, key.id);
  await assert.rejects(redeem(pki.deps, { token, csr }), { code: 'token_unknown' });
  // What was issued before is answered again, as ever.
  assert.equal((await redeem(pki.deps, { token: redeemed, csr })).certificate.id, first.certificate.id);
});

test('redeem() holds to the rules of that moment, not of when the token was made (contract 2.7)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const token = await addToken(pki, accountId);
  await store.cas.setPolicy(accountId, { ...OPEN_POLICY, organizationalUnits: ['Ops'] }, null);
  await assert.rejects(redeem(pki.deps, { token, csr }), { code: 'policy_violation' });
  await store.cas.setPolicy(accountId, { ...OPEN_POLICY, organizationalUnits: ['Ops', 'Sales'] }, null);
  assert.equal((await redeem(pki.deps, { token, csr })).again, false);
});

test('rotateAuthority() issues from the new one, and the old one is trusted and lists what it issued', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const old = await redeem(pki.deps, { token: await addToken(pki, accountId), csr });
  pki.clock.time += 1_000;
  const next = await rotateAuthority(pki.deps, accountId);
  const fresh = await redeem(pki.deps, { token: await addToken(pki, accountId), csr: another });
  assert.equal(fresh.ca.id, next.id);
  const trusted = await authoritiesOf(pki.deps, accountId);
  assert.deepEqual(
    trusted.map(({ id }) => id),
    [next.id, old.ca.id],
  );
  const ca = trusted.map((each) => pem('CERTIFICATE', each.certificate)).join('');
  const lists = createRevocationLists(pki.deps);
  const crl = (await Promise.all(trusted.map(lists))).map(({ der }) => pem('X509 CRL', der)).join('');
  for (const { certificate } of [old, fresh])
    assert.match(
      verifyClient({ certificate: pem('CERTIFICATE', certificate.der), ca, crl }, pki.clock.time),
      /: OK\n$/,
    );
});

test('the key of an authority is in the store sealed alone (THREATS "Certificates": a CA key in a backup or log)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const [ca] = await authoritiesOf(pki.deps, accountId);
  assert.ok(ca);
  const text = (await store.cas.privateKey(accountId, ca.id))?.reveal() ?? '';
  const der = openssl(['pkey', '-outform', 'DER'], text);
  for (const file of [store.sqliteFile, `${store.sqliteFile}-wal`]) {
    const bytes = await readFile(file).catch(() => Buffer.alloc(0));
    for (const needle of ['PRIVATE KEY', der.toString('base64').slice(40, 80)])
      assert.ok(!bytes.includes(needle), `${file} has ${needle}`);
    assert.ok(!bytes.includes(der.subarray(-100, -60)), `${file} has the key`);
  }
});
