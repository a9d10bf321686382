import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openssl } from '../../test/support/openssl.ts';
import { addAccount, openTestStore } from '../../test/support/store.ts';
import { testPki } from '../../test/support/pki.ts';
import { randomBytes } from '../domain/secret.ts';
import type { RevokedCertificate } from '../store/certificate.ts';
import { newId } from '../domain/id.ts';
import { authoritiesOf } from './authority.ts';
import { createRevocationLists } from './revocation-list.ts';

test('createRevocationLists() signs anew when a day has passed or something was revoked, with a greater number (RFC 5280 5.2.3)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const [ca] = await authoritiesOf(pki.deps, await addAccount(store));
  assert.ok(ca);
  const lists = createRevocationLists(pki.deps);
  const [first, same] = await Promise.all([lists(ca), lists(ca)]);
  assert.equal(first, same);
  assert.equal(await lists(ca), first);
  pki.clock.time += 86_400_000;
  const second = await lists(ca);
  assert.notEqual(second, first);
  assert.deepEqual([numberOf(first.der), numberOf(second.der)], [1, 2]);
  assert.equal(second.nextUpdate - second.thisUpdate, 7 * 86_400_000);
  // Another process that was not told has numbers of its own, no smaller ones.
  assert.equal(numberOf((await createRevocationLists(pki.deps)(ca)).der), 3);
});

test('createRevocationLists() lists 10,000 (issue 5)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const [ca] = await authoritiesOf(pki.deps, await addAccount(store));
  assert.ok(ca);
  const revoked = Array.from({ length: 10_000 }, (): RevokedCertificate => {
    const serial = `01${randomBytes(16).toString('hex')}`.toUpperCase();
    return {
      id: newId('cer'),
      caId: ca.id,
      serial,
      fingerprint: '',
      revokedAt: pki.clock.time,
      reason: 'superseded',
    };
  }).toSorted((a, b) => (a.id < b.id ? -1 : 1));
  const certificates = {
    ...store.certificates,
    revocationState: () => Promise.resolve('10000'),
    revokedBy: (_ca: unknown, { after, limit }: { after: string | null; limit: number }) =>
      Promise.resolve(revoked.filter(({ id }) => id > (after ?? '')).slice(0, limit)),
  };
  const lists = createRevocationLists({ ...pki.deps, store: { ...store, certificates } });
  const { der } = await lists(ca);
  const text = openssl(['crl', '-inform', 'DER', '-noout', '-text'], der).toString();
  assert.equal(text.match(/Serial Number: /g)?.length, 10_000);
  assert.ok(text.includes(revoked[9_999]?.serial ?? 'none'));
});

function numberOf(der: Uint8Array): number {
  const text = openssl(['crl', '-inform', 'DER', '-noout', '-crlnumber'], der).toString();
  return Number(text.trim().replace('crlNumber=', ''));
}
