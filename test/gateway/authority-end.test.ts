// An authority that comes to its end: replaced in its last year, with certificates of both, and the clock
// moved past it. Issued by the real authorities, kept by a real store, told to the gates as they are told,
// judged as they judge.

import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { createTrustReader } from '../../src/control/feed/trust-reader.ts';
import { certificateRefusal } from '../../src/domain/client-certificate.ts';
import { createTrust } from '../../src/gateway/trust.ts';
import { authoritiesOf, rotateAuthority } from '../../src/pki/authority.ts';
import { redeem } from '../../src/pki/redeem.ts';
import { renew } from '../../src/pki/renew.ts';
import { createRevocationLists } from '../../src/pki/revocation-list.ts';
import type { AccountCa, KeptCertificate } from '../../src/store/certificates/certificate.ts';
import type { Store } from '../../src/store/store.ts';
import { pem } from '../../src/x509/pem.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { addToken, testPki, verifyClient } from '../support/pki.ts';
import { openPostgresTestStore, startPostgres } from '../support/postgres.ts';
import { addAccount, openTestStore } from '../support/store.ts';

const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
const DAY_MS = 86_400_000;
const ANYBODY = { subject: '*', unit: null };

for (const engine of ['SQLite', 'PostgreSQL'])
  test(`an authority is replaced in its last year, and its end disturbs nobody (${engine})`, async () => {
    await using server = engine === 'SQLite' ? null : await startPostgres();
    await using store = server === null ? await openTestStore() : await openPostgresTestStore(server);
    await walkOverTheEnd(store);
  });

async function walkOverTheEnd(store: Store): Promise<void> {
  const pki = testPki(store);
  const { deps, clock } = pki;
  const accountId = await addAccount(store);
  const [first] = await authoritiesOf(deps, accountId);
  assert.ok(first);
  const end = first.notAfter;
  const redeemed = async (validityMs: number) => {
    const token = await addToken(pki, accountId, { validityMs });
    return (await redeem(deps, { token, csr })).certificate;
  };
  const listOf = createRevocationLists(deps);
  const refusalOf = async (certificate: KeptCertificate) => {
    const trust = createTrust(await createTrustReader(store, deps.now).all());
    const { subject, serialNumber } = new X509Certificate(certificate.der);
    const presented = {
      authorityId: certificate.caId,
      commonName: certificate.subject.commonName,
      organizationalUnit: certificate.subject.organizationalUnit,
      subject,
      serial: serialNumber,
      fingerprint: certificate.fingerprint,
      notBefore: certificate.notBefore,
      notAfter: certificate.notAfter,
      clientAuth: true,
      tunnelOnly: false,
    };
    return certificateRefusal({ accountId, rule: ANYBODY }, trust.judge(presented, clock.time), clock.time);
  };
  /** As nginx on another machine checks it, with the two files that are published. */
  const verified = async (certificate: KeptCertificate, ca: AccountCa) =>
    verifyClient(
      {
        certificate: pem('CERTIFICATE', certificate.der),
        ca: pem('CERTIFICATE', ca.certificate),
        crl: pem('X509 CRL', (await listOf(ca)).der),
      },
      clock.time,
    );

  clock.time = end - 366 * DAY_MS;
  assert.equal(await store.cas.noteEnding(clock.time), 0);
  clock.time = end - 300 * DAY_MS;
  assert.equal(await store.cas.noteEnding(clock.time), 1);
  assert.equal(await store.cas.noteEnding(clock.time), 0);
  const old = await redeemed(365 * DAY_MS);
  // Never past the authority that signed it.
  assert.equal(old.notAfter, end);

  const second = await rotateAuthority(deps, accountId);
  assert.equal(await store.cas.noteEnding(clock.time), 0);
  const fresh = await redeemed(365 * DAY_MS);
  assert.equal(fresh.caId, second.id);
  assert.ok(fresh.notAfter > end);
  for (const [certificate, ca] of [
    [old, first],
    [fresh, second],
  ] as const) {
    assert.equal(await refusalOf(certificate), null);
    assert.match(await verified(certificate, ca), /: OK\n$/);
  }

  clock.time = end - 20 * DAY_MS;
  const { certificate: renewed } = await renew(deps, old, null);
  assert.deepEqual([renewed.caId, renewed.notAfter > end], [second.id, true]);
  assert.equal((await authoritiesOf(deps, accountId)).length, 2);
  assert.equal(await refusalOf(old), null);

  clock.time = end;
  assert.equal(await refusalOf(old), 'certificate_foreign');
  for (const certificate of [fresh, renewed]) {
    assert.equal(await refusalOf(certificate), null);
    assert.match(await verified(certificate, second), /: OK\n$/);
  }
  assert.deepEqual(
    (await authoritiesOf(deps, accountId)).map(({ id }) => id),
    [second.id],
  );
  assert.equal((await redeemed(30 * DAY_MS)).caId, second.id);
}

test('an authority that nobody replaced gives its place to another when it is over', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const [first] = await authoritiesOf(pki.deps, accountId);
  assert.ok(first);
  pki.clock.time = first.notAfter;
  const { certificate } = await redeem(pki.deps, { token: await addToken(pki, accountId), csr });
  assert.notEqual(certificate.caId, first.id);
  assert.deepEqual(
    (await authoritiesOf(pki.deps, accountId)).map(({ id, retiredAt }) => [id, retiredAt]),
    [[certificate.caId, null]],
  );
});
