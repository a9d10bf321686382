// Revoking what the store does not know: certificates of the account's authority that are in no inventory, as
// after a restore. On both engines.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startControlOn, type TestAccount, type TestControl } from '../../../test/support/control.ts';
import { onEngines } from '../../../test/support/on-engines.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../../../test/support/openssl.ts';
import { TEST_SUBJECT, testPki, verifyClient } from '../../../test/support/pki.ts';
import { DEFAULT_LIMITS } from '../../domain/account-limits.ts';
import { issuingAuthority, rotateAuthority } from '../../pki/authority.ts';
import { makeCertificate } from '../../pki/issue.ts';
import { readCsr } from '../../pki/redeem.ts';
import type { Store } from '../../store/store.ts';
import { pem } from '../../x509/pem.ts';

const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);

onEngines('certificates that are named', ({ openStore }) => {
  test('a certificate that the store does not know is revoked by itself, once, and is on the list of its authority (RFC 5280 5)', async () => {
    await using control = await startControlOn(await openStore());
    const lost = await lostCertificate(control);
    await rotateAuthority(testPki(control.store).deps, control.alice.id);
    const other = await lostCertificate(control);
    assert.match(verifyClient({ ...lost, crl: await lists(control) }), /: OK\n$/);
    const revoked = await revoke(control, { certificate: lost.certificate, reason: 'superseded' });
    assert.deepEqual([revoked.status, revoked.document], [200, { revoked: [], serials: [lost.serial] }]);
    const again = await revoke(control, { certificate: lost.certificate });
    assert.deepEqual([again.status, again.document], [200, { revoked: [], serials: [] }]);
    const crl = await lists(control);
    assert.match(verifyClient({ ...lost, crl }), /certificate revoked/);
    assert.match(verifyClient({ ...other, crl }), /: OK\n$/);
    const told = await control.store.certificates.allRevoked({ now: Date.now(), after: null, limit: 9 });
    assert.deepEqual(
      told.map(({ caId, serial }) => [caId, serial]),
      [[lost.caId, lost.serial]],
      'of the authority that signed it alone',
    );
    assert.deepEqual(await reasons(control), [`serial:${lost.serial} superseded`]);
  });

  test('a serial alone is revoked under each authority of the account (RFC 5280 5)', async () => {
    await using control = await startControlOn(await openStore());
    const lost = await lostCertificate(control);
    await rotateAuthority(testPki(control.store).deps, control.alice.id);
    const serial = lost.serial.toLowerCase().replace(/..(?=.)/g, '$&:');
    const revoked = await revoke(control, { serial });
    assert.deepEqual([revoked.status, revoked.document], [200, { revoked: [], serials: [lost.serial] }]);
    assert.match(verifyClient({ ...lost, crl: await lists(control) }), /certificate revoked/);
    const page = { now: Date.now(), after: null, limit: 9 };
    assert.equal((await control.store.certificates.allRevoked(page)).length, 2);
    assert.deepEqual((await revoke(control, { serial })).document, { revoked: [], serials: [] });
    // Not under another account's: it knows nothing of this.
    const theirs = await lostCertificate(control, control.mallory);
    const ofTheirs = await control.store.certificates.revokedBy(theirs.caId, page);
    assert.deepEqual(ofTheirs, []);
  });

  test('one that the store knows is revoked as any other, by its serial or itself', async () => {
    await using control = await startControlOn(await openStore());
    for (const way of ['serial', 'certificate'] as const) {
      const input = { name: 'laptop', commonName: 'ann' };
      const { document: made } = await control.call({ path: '/v1/certificate-request-tokens', json: input });
      const { csr: request } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
      const { document: kept } = await control.call({
        path: '/v1/client-certificates/redeem',
        json: { token: made['token'], csr: request },
        as: null,
      });
      const { document } = await revoke(control, { [way]: kept[way] });
      const shown = await control.call({ path: `/v1/client-certificates/${String(kept['serial'])}` });
      assert.deepEqual(
        [shown.document['state'], document],
        ['revoked', { revoked: [shown.document['id']], serials: [] }],
      );
    }
  });

  test('a compromised key of one that the store does not know gets no certificate any more, and loses those that it has', async () => {
    await using control = await startControlOn(await openStore());
    const lost = await lostCertificate(control);
    const issue = async () => {
      const input = { name: 'laptop', commonName: 'ann', emailAddress: 'ann@corp.example' };
      const { document } = await control.call({ path: '/v1/certificate-request-tokens', json: input });
      const json = { token: document['token'], csr };
      return control.call({ path: '/v1/client-certificates/redeem', json, as: null });
    };
    const { document: kept } = await issue();
    const revoked = await revoke(control, { certificate: lost.certificate, reason: 'key_compromise' });
    const shown = await control.call({ path: `/v1/client-certificates/${String(kept['serial'])}` });
    assert.deepEqual(revoked.document, { revoked: [shown.document['id']], serials: [lost.serial] });
    const refused = await issue();
    assert.deepEqual([refused.status, refused.document['code']], [422, 'csr_refused']);
    const wanted = [`serial:${lost.serial} key_compromise`, `${String(shown.document['id'])} key_compromise`];
    assert.deepEqual((await reasons(control)).toSorted(), wanted.toSorted());
  });

  test('another account’s certificate, an authority’s own, and what is no certificate or serial revoke nothing (THREATS "Tenancy")', async () => {
    await using control = await startControlOn(await openStore());
    const [lost, theirs] = [await lostCertificate(control), await lostCertificate(control, control.mallory)];
    for (const certificate of [theirs.certificate, lost.ca, theirs.ca]) {
      const { status, document } = await revoke(control, { certificate });
      assert.deepEqual([status, document['code']], [404, 'certificate_unknown']);
    }
    const bad = [
      { certificate: 'no' },
      { serial: '' },
      { serial: '00' },
      { serial: '-1' },
      { serial: 'ff'.repeat(20) },
      { serial: 'xyz' },
      {},
      { serial: '01', certificate: lost.certificate },
      { serial: '01', emailAddress: 'ann@corp.example' },
    ];
    for (const input of bad) {
      const { status, document } = await revoke(control, input);
      assert.deepEqual([status, document['code']], [422, 'validation_failed'], JSON.stringify(input));
    }
    const page = { now: Date.now(), after: null, limit: 9 };
    assert.deepEqual(await control.store.certificates.allRevoked(page), []);
    assert.deepEqual(await reasons(control), []);
  });

  test('an account revokes as many that the store does not know as limits.revoked_serials allows', async () => {
    await using control = await startControlOn(await openStore(), {
      limits: { ...DEFAULT_LIMITS, revokedSerials: 1 },
    });
    await lostCertificate(control);
    assert.equal((await revoke(control, { serial: '01' })).status, 200);
    const refused = await revoke(control, { serial: '02' });
    assert.deepEqual([refused.status, refused.document['code']], [409, 'limit_reached']);
    assert.equal((await revoke(control, { serial: '01' })).status, 200);
    assert.deepEqual(await reasons(control), ['serial:01 unspecified']);
  });
});

/** Signed by the account's authority, and kept nowhere. */
async function lostCertificate({ store, alice }: TestControl<Store>, of: TestAccount = alice) {
  const authority = await issuingAuthority(testPki(store).deps, of.id);
  const made = await makeCertificate(authority, readCsr(csr, ''), {
    name: 'lost',
    subject: TEST_SUBJECT,
    validityMs: 86_400_000,
    crlUrl: 'https://control.example/crl',
    apiRole: null,
    allowedBy: 'operator',
    tokenId: null,
    renewedFrom: null,
    createdAt: Date.now(),
    lineSince: Date.now(),
    renewableMs: null,
  });
  const { serial, caId, der } = made;
  const ca = pem('CERTIFICATE', authority.ca.certificate);
  return { serial, caId, ca, certificate: pem('CERTIFICATE', der) };
}

function revoke({ call }: TestControl<Store>, json: Readonly<Record<string, unknown>>) {
  return call({ method: 'POST', path: '/v1/client-certificates/revoke', json });
}

/** Of every authority of the account, as PEM. */
async function lists({ url, alice }: TestControl<Store>): Promise<string> {
  return (await fetch(new URL(`/pki/${alice.id}/crl.pem`, url))).text();
}

async function reasons({ call }: TestControl<Store>): Promise<readonly string[]> {
  const { document } = await call({ path: '/v1/audit-events?limit=50&kind=certificate.revoked' });
  return (document['items'] as readonly { readonly reason: string }[]).map(({ reason }) => reason);
}
