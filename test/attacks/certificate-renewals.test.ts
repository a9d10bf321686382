// The holder of a certificate who renews it as often as the service lets them: so that it cannot be revoked,
// and to fill the account's list.

import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { redeem } from '../../src/pki/redeem.ts';
import { renew } from '../../src/pki/renew.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { addToken, testPki } from '../support/pki.ts';
import { addAccount, openTestStore } from '../support/store.ts';

const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);

test('a certificate is revoked with more successors than fit one statement (THREATS "Certificates")', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const { certificate } = await redeem(pki.deps, { token: await addToken(pki, accountId), csr });
  addSuccessors(store.sqliteFile, certificate.id);
  const of = { accountId, reason: 'key_compromise', by: 'operator', at: pki.clock.time } as const;
  const revoked = await store.certificates.revoke({ ...of, chosen: { id: certificate.id } });
  assert.equal(revoked.length, 1 + SUCCESSORS);
  const page = { now: pki.clock.time, after: null, limit: SUCCESSORS + 2 };
  assert.equal((await store.certificates.allRevoked(page)).length, 1 + SUCCESSORS);
});

test('of one token no more than 50 certificates are good at once, whichever of them is renewed (THREATS "Certificates")', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const first = await redeem(pki.deps, { token: await addToken(pki, accountId), csr });
  let last = first.certificate;
  const next = async () => {
    // Later than the same key gets the same one again.
    pki.clock.time += 11 * 60_000;
    return (await renew(pki.deps, last, null)).certificate;
  };
  for (let count = 1; count < 50; count++) last = await next();
  assert.equal(last.tokenId, first.certificate.tokenId);
  await assert.rejects(next(), { code: 'rate_limited' });
  await assert.rejects(renew(pki.deps, first.certificate, null), { code: 'rate_limited' });
  // Somebody else's are not counted with them, and the holder goes on when some are over.
  const other = await redeem(pki.deps, { token: await addToken(pki, accountId), csr });
  assert.equal((await renew(pki.deps, other.certificate, null)).again, false);
  pki.clock.time = first.certificate.notAfter;
  assert.ok((await next()).notAfter > last.notAfter);
});

/** As if the one was renewed that often: rows that differ in what must differ. */
function addSuccessors(file: string, id: string): void {
  const db = new DatabaseSync(file);
  const columns = db.prepare('SELECT * FROM client_certificates WHERE id = ?').get(id) ?? {};
  const names = Object.keys(columns);
  const made: Readonly<Record<string, string>> = {
    id: "'cer_' || number",
    serial: "'AB' || number",
    fingerprint: "'ff' || number",
    renewed_from: 'id',
  };
  db.prepare(
    `INSERT INTO client_certificates (${names.join(', ')})
     WITH RECURSIVE numbers (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < ?)
     SELECT ${names.map((name) => made[name] ?? name).join(', ')} FROM client_certificates, numbers WHERE id = ?`,
  ).run(SUCCESSORS, id);
  db.close();
}

/** More than the parameters that SQLite takes in one statement. */
const SUCCESSORS = 33_000;
