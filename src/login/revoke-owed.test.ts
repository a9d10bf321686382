import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addShare, openTestStore } from '../../test/support/store.ts';
import { newId } from '../domain/id.ts';
import { Secret } from '../domain/secret.ts';
import type { Provider } from '../providers/provider.ts';
import { addSession } from '../store/suite/bench.test-support.ts';
import { createOwedRevoker, type OwedRevokerDeps } from './revoke-owed.ts';

const NOW = Date.UTC(2030, 0, 1);
const MINUTE_MS = 60_000;
const SILENT = { warn: () => undefined, error: () => undefined, info: () => undefined };

test('revokeDue() leaves a provider that fails alone for a minute, tries again, and gives up after ten (4.2)', async () => {
  let now = NOW;
  await using store = await openTestStore(() => now);
  const share = await addShare(store);
  for (const subject of ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine'])
    await addSession(store, { share, at: NOW, subject, browser: subject });
  const asked: number[] = [];
  const provider = providerThat(async () => {
    asked.push((now - NOW) / MINUTE_MS);
    throw new Error('away');
  });
  const revoker = createOwedRevoker({
    sessions: store.sessions,
    providerOf: (name, generation) => (generation === 'gen1' && name === 'corp' ? provider : undefined),
    now: () => now,
    steadyNow: () => now,
    log: SILENT,
  });
  await store.shares.remove(share.accountId, share.id);
  for (; now < NOW + 20 * MINUTE_MS; now += MINUTE_MS) {
    await revoker.revokeDue();
    await revoker.revokeDue();
  }
  // One batch a minute finds out, the ninth waits for the next.
  assert.deepEqual([...new Set(asked)], [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  assert.ok(asked.length <= 12 * 8);
});

test('revokeDue() revokes all that is due, each once, and drops what no provider of now or just now can take', async () => {
  let now = NOW;
  await using store = await openTestStore(() => now);
  const share = await addShare(store);
  for (let count = 0; count < 20; count++)
    await addSession(store, { share, at: NOW, subject: `s${count}`, browser: `b${count}`, ...other(count) });
  const revoked: string[] = [];
  const provider = providerThat(async ({ accessToken }) => void revoked.push(accessToken.reveal()));
  const revoker = createOwedRevoker({
    sessions: store.sessions,
    providerOf: (_name, generation) => (generation === 'gen1' ? provider : undefined),
    now: () => now,
    steadyNow: () => now,
    log: SILENT,
  });
  await store.shares.remove(share.accountId, share.id);
  await Promise.all([revoker.revokeDue(), revoker.revokeDue()]);
  assert.deepEqual(revoked.toSorted(), Array.from({ length: 19 }, (_, at) => `access-${at + 1}`).toSorted());
  now += 11 * MINUTE_MS;
  await revoker.revokeDue();
  assert.equal(
    await store.sessions.claimRevocations({ most: 1, holdMs: 0, butOf: { providers: [], accounts: [] } }),
    null,
  );
  await revoker.stop();
});

test('revokeDue() lets a provider that hangs hold up no other account, configured provider or later sessions (4.2)', async (t) => {
  await using store = await openTestStore(() => NOW);
  const hanging = await addShare(store);
  const others = [await addShare(store), await addShare(store)];
  for (let count = 0; count < 40; count++)
    await addSession(store, { share: hanging, at: NOW, ...person(), provider: 'hangs' });
  for (const share of others)
    for (let count = 0; count < 20; count++)
      await addSession(store, { share, at: NOW, ...person(), provider: share.id });
  // Nobody gives it up meanwhile, however slow the machine is.
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const held = Promise.withResolvers<void>();
  const asked = new Map<string, number>();
  let atOnce = 0;
  const revoker = createOwedRevoker({
    sessions: store.sessions,
    providerOf: (name) => {
      const revoke = async () => {
        asked.set(name, (asked.get(name) ?? 0) + 1);
        atOnce = Math.max(atOnce, asked.get('hangs') ?? 0);
        if (name === 'hangs') await held.promise;
        if (asked.get(others[0]?.id ?? '') === 20 && asked.get(others[1]?.id ?? '') === 20) held.resolve();
      };
      return { name, accountId: name === 'hangs' ? hanging.accountId : null, revoke } as unknown as Provider;
    },
    now: () => NOW,
    steadyNow: () => NOW,
    log: SILENT,
  });
  await store.shares.remove(hanging.accountId, hanging.id);
  for (const share of others) await store.shares.remove(share.accountId, share.id);
  const done = revoker.revokeDue();
  await held.promise;
  assert.equal(atOnce, 8);
  await done;
  assert.equal(asked.get('hangs'), 40);
  await revoker.stop();
});

test('revokeDue() takes one token that is refused for that alone, and a definition that does not open for itself', async () => {
  await using store = await openTestStore(() => NOW);
  const [share, broken] = [await addShare(store), await addShare(store)];
  await addSession(store, { share: broken, at: NOW, ...person(), provider: 'broken' });
  for (let count = 0; count < 20; count++)
    await addSession(store, { share, at: NOW, ...person(), tokens: other(count).tokens });
  const revoked: string[] = [];
  const corp = providerThat(async ({ accessToken }) => {
    if (accessToken.reveal() === 'access-3') throw new Error('unknown token');
    revoked.push(accessToken.reveal());
  });
  const revoker = createOwedRevoker({
    sessions: store.sessions,
    providerOf: (name) => {
      if (name === 'broken') throw new Error('its secret does not open');
      return corp;
    },
    now: () => NOW,
    steadyNow: () => NOW,
    log: SILENT,
  });
  await store.shares.remove(broken.accountId, broken.id);
  await store.shares.remove(share.accountId, share.id);
  await revoker.revokeDue();
  assert.equal(revoked.length, 19);
});

test('revokeDue() claims again what a lane kept from a claim that it ended during', async () => {
  await using store = await openTestStore(() => NOW);
  const share = await addShare(store);
  for (let count = 0; count < 20; count++)
    await addSession(store, { share, at: NOW, ...person(), tokens: other(count).tokens });
  const revoked: string[] = [];
  const corp = providerThat(async ({ accessToken }) => void revoked.push(accessToken.reveal()));
  let settled = Promise.withResolvers<void>();
  const sessions: OwedRevokerDeps['sessions'] = {
    async claimRevocations(claim) {
      const closed = settled.promise;
      const owed = await store.sessions.claimRevocations(claim);
      // Each claim that leaves the lane out is answered after its end.
      if (claim.butOf.providers.includes('corp')) await closed;
      return owed;
    },
    async settleRevocations(outcomes) {
      await store.sessions.settleRevocations(outcomes);
      setImmediate(() => {
        settled.resolve();
        settled = Promise.withResolvers();
      });
    },
  };
  const revoker = createOwedRevoker({
    sessions,
    providerOf: () => corp,
    now: () => NOW,
    steadyNow: () => NOW,
    log: SILENT,
  });
  await store.shares.remove(share.accountId, share.id);
  await revoker.revokeDue();
  assert.equal(revoked.length, 20);
});

/** With a browser of their own. */
function person() {
  const name = newId('att');
  return { subject: name, browser: name };
}

/** The first is of a provider that is no more. */
function other(count: number) {
  const tokens = {
    accessToken: new Secret(`access-${count}`),
    refreshToken: null,
    idToken: null,
    subject: null,
  };
  return { tokens, ...(count === 0 ? { generation: 'gen0' } : {}) };
}

function providerThat(revoke: NonNullable<Provider['revoke']>): Provider {
  return { name: 'corp', revoke } as Provider;
}
