import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseSync } from 'node:sqlite';
import { openssl, OPENSSL_ALGORITHMS, opensslCsr } from '../../test/support/openssl.ts';
import { addAccount, openTestStore } from '../../test/support/store.ts';
import { addToken, testPki, type TestPki, verifyClient } from '../../test/support/pki.ts';
import { randomBytes } from '../domain/secret.ts';
import type { AccountCa, RevokedCertificate } from '../store/certificates/certificate.ts';
import { type AccountId, newId } from '../domain/id.ts';
import { pem } from '../x509/pem.ts';
import { authoritiesOf, rotateAuthority } from './authority.ts';
import { redeem } from './redeem.ts';
import { createRevocationLists, type RevocationList } from './revocation-list.ts';

test('createRevocationLists() signs again when a day has passed or something was revoked, with a greater number (RFC 5280 5.2.3)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const [ca] = await authoritiesOf(pki.deps, await addAccount(store));
  assert.ok(ca);
  const lists = createRevocationLists(pki.deps);
  const [first, same] = await Promise.all([lists(ca), lists(ca)]);
  assert.equal(first, same);
  assert.equal(await lists(ca), first);
  pki.clock.time += DAY_MS;
  const second = await lists(ca);
  assert.notEqual(second, first);
  assert.ok(numberOf(second.der) > numberOf(first.der));
  assert.equal(numberOf(second.der), second.number);
  assert.equal(second.nextUpdate - second.thisUpdate, 7 * DAY_MS);
  const text = openssl(['crl', '-inform', 'DER', '-noout', '-nextupdate'], second.der).toString();
  assert.equal(Date.parse(text.replace('nextUpdate=', '')), second.nextUpdate);
});

test('createRevocationLists() of two gateways answer one list, and none goes back to the one before (RFC 5280 5.2.3)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const [ca] = await authoritiesOf(pki.deps, accountId);
  assert.ok(ca);
  const [one, other] = [createRevocationLists(pki.deps), createRevocationLists(pki.deps)];
  const first = await one(ca);
  assert.deepEqual(factsOf(await other(ca)), factsOf(first));
  const revoked = await addRevoked(pki, accountId);
  const [left, right] = await Promise.all([other(ca), one(ca)]);
  assert.ok(left.number > first.number && right.number > first.number);
  const newest = left.number > right.number ? left : right;
  for (const lists of [one, other]) assert.deepEqual(factsOf(await lists(ca)), factsOf(newest));
  const text = openssl(['crl', '-inform', 'DER', '-noout', '-text'], newest.der).toString();
  assert.ok(text.includes(revoked.serial));
});

test('createRevocationLists() gives no number a second time after a backup was restored (RFC 5280 5.2.3)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const [ca] = await authoritiesOf(pki.deps, await addAccount(store));
  assert.ok(ca);
  const before = await createRevocationLists(pki.deps)(ca);
  // As the store was when nothing had been published yet.
  const db = new DatabaseSync(store.sqliteFile);
  db.exec('UPDATE account_cas SET crl_number = 0; DELETE FROM revocation_lists');
  db.close();
  pki.clock.time += 1_000;
  assert.ok((await createRevocationLists(pki.deps)(ca)).number > before.number);
});

test('createRevocationLists() of an authority that was put out of its place lists what it issued', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const [[token, csr], kept] = [await inputOf(pki, accountId), await addRevoked(pki, accountId)];
  const living = await redeem(pki.deps, { token, csr });
  await rotateAuthority(pki.deps, accountId);
  const [issuing, retired] = await authoritiesOf(pki.deps, accountId);
  assert.ok(issuing && retired);
  const lists = createRevocationLists(pki.deps);
  const pemOf = async (ca: AccountCa) => pem('X509 CRL', (await lists(ca)).der);
  const ca = pem('CERTIFICATE', retired.certificate);
  const crl = await pemOf(retired);
  const verdict = (der: Uint8Array, list = crl) =>
    verifyClient({ certificate: pem('CERTIFICATE', der), ca, crl: list }, pki.clock.time);
  assert.match(verdict(living.certificate.der), /: OK\n$/);
  assert.match(verdict(kept.der), /certificate revoked/);
  assert.match(verdict(living.certificate.der, await pemOf(issuing)), /unable to get certificate CRL/);
});

test('createRevocationLists() keeps what is over until a list was signed after its end (RFC 5280 3.3)', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const { serial, notAfter } = await addRevoked(pki, accountId);
  const [ca] = await authoritiesOf(pki.deps, accountId);
  assert.ok(ca);
  const listed = async (at: number) => {
    pki.clock.time = at;
    const { der } = await createRevocationLists(pki.deps)(ca);
    return openssl(['crl', '-inform', 'DER', '-noout', '-text'], der).toString().includes(serial);
  };
  assert.equal(await listed(notAfter + DAY_MS), true);
  assert.equal(await listed(notAfter + 3 * DAY_MS), false);
});

test('createRevocationLists() leaves others a turn after each 500 of 10,000', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const [ca] = await authoritiesOf(pki.deps, await addAccount(store));
  assert.ok(ca);
  const revoked = Array.from({ length: 10_000 }, () => revokedNow(ca, pki.clock.time)).toSorted((a, b) =>
    a.id < b.id ? -1 : 1,
  );
  const pages: number[] = [];
  let turns = 0;
  const turnsBefore: number[] = [];
  const certificates = {
    ...store.certificates,
    revocationState: () => Promise.resolve(String(revoked.length)),
    revokedBy: (_ca: unknown, { after, limit }: { after: string | null; limit: number }) => {
      const page = revoked.filter(({ id }) => id > (after ?? '')).slice(0, limit);
      pages.push(page.length);
      turnsBefore.push(turns);
      return Promise.resolve(page);
    },
  };
  let counting = true;
  const count = (): void => {
    turns += 1;
    if (counting) setImmediate(count);
  };
  count();
  const lists = createRevocationLists({ ...pki.deps, store: { ...store, certificates } });
  const { der } = await lists(ca);
  counting = false;
  assert.ok(Math.max(...pages) <= 500);
  assert.equal(new Set(turnsBefore).size, pages.length);
  const text = openssl(['crl', '-inform', 'DER', '-noout', '-text'], der).toString();
  assert.equal(text.match(/Serial Number: /g)?.length, 10_000);
  assert.ok(text.includes(revoked[9_999]?.serial ?? 'none'));
});

for (const [length, isLong] of [
  [990, false],
  [1_001, true],
] as const)
  test(`createRevocationLists() builds a list of ${length} ${isLong ? 'no sooner than a multiple of what it took' : 'at each revocation'}`, async () => {
    await using store = await openTestStore();
    const pki = testPki(store);
    const accountId = await addAccount(store);
    const [ca] = await authoritiesOf(pki.deps, accountId);
    assert.ok(ca);
    const revoked = Array.from({ length }, () => revokedNow(ca, pki.clock.time));
    let counted = 0;
    const certificates = {
      ...store.certificates,
      revocationState: () => {
        counted++;
        return Promise.resolve(String(revoked.length));
      },
      revokedBy: (_ca: unknown, { after, limit }: { after: string | null; limit: number }) => {
        const from = revoked.findIndex(({ id }) => id === after) + 1;
        return Promise.resolve(revoked.slice(from, from + limit));
      },
    };
    let looked = 0;
    const changes = {
      ...store.changes,
      since: (number: number) => {
        looked++;
        return store.changes.since(number);
      },
    };
    const deps = { ...pki.deps, store: { ...store, certificates, changes } };
    const [lists, elsewhere] = [createRevocationLists(deps), createRevocationLists(deps)];
    const first = await lists(ca);
    await addRevoked(pki, accountId);
    revoked.push(revokedNow(ca, pki.clock.time));
    assert.equal((await lists(ca)).number > first.number, !isLong);
    // What another gateway published is answered: none goes back to the one before.
    const published = await elsewhere(ca);
    assert.ok(published.number > first.number);
    assert.equal((await lists(ca)).number, published.number);
    await addRevoked(pki, accountId);
    revoked.push(revokedNow(ca, pki.clock.time));
    assert.equal((await lists(ca)).number > published.number, !isLong);
    assert.equal(counted, isLong ? 2 : 4, 'what is revoked is counted for a list to build, and for no other');
    assert.equal(looked === 0, isLong, 'nobody looks for changes while another list is answered in a pause');
    pki.clock.time += 60_000;
    assert.ok((await lists(ca)).number > published.number);
  });

function factsOf({ number, der }: RevocationList): readonly unknown[] {
  return [number, Buffer.from(der).toString('hex')];
}

function revokedNow(ca: AccountCa, revokedAt: number): RevokedCertificate {
  const serial = `01${randomBytes(16).toString('hex')}`.toUpperCase();
  return { id: newId('cer'), caId: ca.id, serial, fingerprint: '', revokedAt, reason: 'superseded' };
}

async function inputOf(pki: TestPki, accountId: AccountId): Promise<readonly [string, string]> {
  return [await addToken(pki, accountId), opensslCsr(OPENSSL_ALGORITHMS['P-256']).csr];
}

async function addRevoked(pki: TestPki, accountId: AccountId) {
  const [token, csr] = await inputOf(pki, accountId);
  const { certificate } = await redeem(pki.deps, { token, csr });
  const of = { accountId, reason: 'key_compromise', by: 'operator', at: pki.clock.time } as const;
  await pki.deps.store.certificates.revoke({ ...of, chosen: { id: certificate.id } });
  return certificate;
}

function numberOf(der: Uint8Array): number {
  const text = openssl(['crl', '-inform', 'DER', '-noout', '-crlnumber'], der).toString();
  return Number(text.trim().replace('crlNumber=', ''));
}

const DAY_MS = 86_400_000;
