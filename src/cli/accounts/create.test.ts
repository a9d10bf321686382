import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { openTestStore } from '../../../test/support/store.ts';
import { authoritiesOf, issuingAuthority } from '../../pki/authority.ts';
import { createAccount } from './create.ts';

test('createAccount() makes the authority with the account, whose key signs (DESIGN "Issuing")', async () => {
  await using store = await openTestStore();
  const now = Date.now();
  const { account } = await createAccount(store, { name: 'acme', adminEmail: 'ann@acme.test', now });
  const [ca, ...others] = await store.cas.list(account.id, now);
  assert.ok(ca);
  assert.deepEqual(others, []);
  const certificate = new X509Certificate(ca.certificate);
  assert.equal(certificate.ca, true);
  assert.match(certificate.subject, /^O=acme\nCN=acme CA \w{6}$/);
  const deps = { store, now: () => now };
  assert.deepEqual(await authoritiesOf(deps, account.id), [ca]);
  assert.equal((await issuingAuthority(deps, account.id)).ca.id, ca.id);
  const text = JSON.stringify(await store.cas.list(account.id, now));
  assert.doesNotMatch(text, /PRIVATE/);
});

test('createAccount() of a name that is taken makes no authority', async () => {
  await using store = await openTestStore();
  const input = { name: 'acme', adminEmail: 'ann@acme.test', now: Date.now() };
  await createAccount(store, input);
  await assert.rejects(createAccount(store, input), { code: 'account_exists' });
  assert.equal((await store.cas.all(input.now)).length, 1);
});
