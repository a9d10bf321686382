import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { test } from 'node:test';
import { addAccount, openTestStore } from '../../test/support/store.ts';
import { authoritiesOf, issuingAuthority, rotateAuthority } from './authority.ts';

test('authoritiesOf() makes one for an account that has none, whoever asks at the same time (DESIGN "Issuing")', async () => {
  await using store = await openTestStore();
  const accountId = await addAccount(store, 'acme');
  const deps = { store, now: Date.now };
  const answers = await Promise.all(Array.from({ length: 20 }, () => authoritiesOf(deps, accountId)));
  const ids = new Set(answers.flat().map(({ id }) => id));
  assert.equal(ids.size, 1);
  assert.equal((await store.cas.all(Date.now())).length, 1);
});

test('the key of an authority lies in the store sealed alone (THREATS "Certificates")', async () => {
  await using store = await openTestStore();
  const accountId = await addAccount(store, 'acme');
  const deps = { store, now: Date.now };
  const { ca } = await issuingAuthority(deps, accountId);
  await rotateAuthority(deps, accountId);
  const pem = (await store.cas.privateKey(accountId, ca.id))?.reveal() ?? '';
  const [, body = ''] = /-----\n([^-]+)\n-----/.exec(pem) ?? [];
  assert.ok(body.length > 200);
  const der = Buffer.from(body, 'base64');
  for (const file of globSync(`${dirname(store.sqliteFile)}/*`)) {
    const bytes = readFileSync(file);
    for (const part of ['PRIVATE KEY', body.slice(0, 64), body.slice(-40), der.subarray(-60)])
      assert.ok(!bytes.includes(part), file);
  }
});

test('signAside() of one account waits for no rush of another’s', async () => {
  await using store = await openTestStore();
  const deps = { store, now: Date.now };
  const [busy, other] = [
    await issuingAuthority(deps, await addAccount(store, 'acme')),
    await issuingAuthority(deps, await addAccount(store, 'other')),
  ];
  const done: string[] = [];
  const sign = async ({ ca, signAside }: typeof busy) => {
    await signAside(Buffer.of(1));
    done.push(ca.id);
  };
  await Promise.all([...Array.from({ length: 60 }, () => sign(busy)), sign(other)]);
  assert.ok(done.indexOf(other.ca.id) < 20, `it was number ${done.indexOf(other.ca.id)}`);
});
