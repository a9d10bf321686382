import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../../test/support/openssl.ts';
import { addToken, testPki } from '../../test/support/pki.ts';
import { addAccount, openTestStore } from '../../test/support/store.ts';
import { OPEN_POLICY } from '../domain/certificate.ts';
import { redeem } from './redeem.ts';
import { renew } from './renew.ts';

const { csr } = opensslCsr(OPENSSL_ALGORITHMS['P-256']);
const DAY_MS = 86_400_000;

test('renew() goes on for as long as the token of the first certificate allows, and the last is shorter for it', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const token = await addToken(pki, accountId, { validityMs: 40 * DAY_MS, renewableMs: 60 * DAY_MS });
  const { certificate: first } = await redeem(pki.deps, { token, csr });
  const end = Math.floor((first.createdAt + 60 * DAY_MS) / 1000) * 1000;
  pki.clock.time += 10 * DAY_MS;
  const second = (await renew(pki.deps, first, null)).certificate;
  assert.ok(second.notAfter < end);
  pki.clock.time += 30 * DAY_MS;
  const third = (await renew(pki.deps, second, null)).certificate;
  assert.equal(third.notAfter, end);
  await assert.rejects(renew(pki.deps, third, null), {
    code: 'policy_violation',
    message: /can be renewed until/,
  });
});

test('renew() goes on for 397 days by default, and never longer than the rules of today', async () => {
  await using store = await openTestStore();
  const pki = testPki(store);
  const accountId = await addAccount(store);
  const { certificate: first } = await redeem(pki.deps, { token: await addToken(pki, accountId), csr });
  let held = first;
  for (let days = 0; days < 380; days += 20) {
    pki.clock.time += 20 * DAY_MS;
    held = (await renew(pki.deps, held, null)).certificate;
  }
  assert.ok(held.notAfter <= first.createdAt + 397 * DAY_MS);
  await assert.rejects(renew(pki.deps, held, null), { code: 'policy_violation' });
  await store.cas.setPolicy(accountId, { ...OPEN_POLICY, renewableMs: 3_650 * DAY_MS }, null);
  assert.ok((await renew(pki.deps, held, null)).certificate.notAfter > held.notAfter);
  await store.cas.setPolicy(accountId, { ...OPEN_POLICY, renewableMs: 0 }, null);
  await assert.rejects(renew(pki.deps, held, null), {
    code: 'policy_violation',
    message: /does not allow renewal/,
  });
});
