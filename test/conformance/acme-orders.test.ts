// How certificates are ordered and renewed (DESIGN "Certificates by themselves"), with a clock that is moved,
// on both engines, against a strict ACME server.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import type { OrdererDeps } from '../../src/acme/orderer-deps.ts';
import { newKey } from '../../src/acme/jws.ts';
import { renewalId } from '../../src/acme/renewal.ts';
import { Secret } from '../../src/domain/secret.ts';
import { createAcmeRig } from '../support/acme-rig.ts';
import { onEngines } from '../support/on-engines.ts';

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const HOLD_MS = 60_000;

onEngines('public certificates', ({ openStore }) => {
  async function ordered() {
    const clock = { time: START };
    const store = await openStore(() => clock.time);
    const rig = await createAcmeRig(store, clock);
    await rig.want();
    const orderer = rig.orderer();
    await orderer.run();
    return {
      ...rig,
      store,
      clock,
      run: () => orderer.run(),
      async [Symbol.asyncDispose]() {
        await orderer.stop();
        await rig[Symbol.asyncDispose]();
        await store[Symbol.asyncDispose]();
      },
    };
  }

  test('run() renews at two thirds of the life, with another key, and says what it replaces (RFC 9773 section 5)', async () => {
    await using rig = await ordered();
    const { served: first } = await rig.seen();
    assert.ok(first !== null);
    rig.clock.time = START + 60 * DAY_MS - 60_000;
    await rig.run();
    assert.equal(rig.valid(), 1, 'not before');
    rig.clock.time = START + 60 * DAY_MS;
    await rig.run();
    assert.equal(rig.valid(), 2);
    const { served: second, row } = await rig.seen();
    assert.notEqual(second?.certificate, first.certificate);
    assert.notEqual(second?.privateKey.reveal(), first.privateKey.reveal());
    const key = createPrivateKey(second!.privateKey.reveal());
    assert.ok(new X509Certificate(second!.certificate).checkPrivateKey(key));
    assert.equal(rig.server.orders[1]?.replaces, renewalId(first.certificate));
    assert.equal(row?.held?.notAfter, rig.clock.time + 90 * DAY_MS);
    assert.deepEqual(
      rig.events.map(({ kind, reason }) => `${kind} ${reason}`),
      ['public_certificate.issued *.share.test', 'public_certificate.issued *.share.test'],
    );
    assert.equal(rig.left(), 0);
  });

  test('run() binds its account to the external one, once, and says what is missing (RFC 8555 section 7.3.4)', async () => {
    const clock = { time: START };
    await using store = await openStore(() => clock.time);
    await using rig = await createAcmeRig(store, clock);
    const key = randomBytes(48);
    const keys = (rig.server.state.externalKeys = new Map([['kid-1', key]]));
    await rig.want();
    const later = () => (clock.time += DAY_MS);
    const failure = async () => (await store.acme.account(rig.server.directory, newKey(), 0)).lastFailure;
    await rig.orderer().run();
    assert.match((await failure()) ?? '', /requires external account binding; set acme\.eab/);
    later();
    await rig.orderer(boundTo(randomBytes(48))).run();
    assert.match((await failure()) ?? '', /403 unauthorized: external account binding/);
    assert.deepEqual([rig.server.accounts.length, keys.size], [0, 1]);
    later();
    await rig.orderer(boundTo(key)).run();
    assert.deepEqual([rig.valid(), rig.server.accounts.length, keys.size], [1, 1, 0]);
    assert.equal(await failure(), null);
    // The key is used up, and a later one is of no use to an account that is there.
    for (const externalAccount of [
      boundTo(key).externalAccount,
      boundTo(randomBytes(48)).externalAccount,
      null,
    ]) {
      clock.time = (await rig.seen()).row?.held?.renewAt ?? 0;
      await rig.orderer({ externalAccount }).run();
    }
    assert.deepEqual([rig.valid(), rig.server.accounts.length], [4, 1]);
  });

  test('run() renews within what the server suggests, however early, and never too late (RFC 9773 section 4.2)', async () => {
    await using rig = await ordered();
    rig.server.state.suggest = { start: START + 10 * DAY_MS, end: START + 12 * DAY_MS };
    await rig.run();
    assert.equal((await rig.seen()).row?.held?.renewAt, START + 11 * DAY_MS);
    rig.clock.time = START + 11 * DAY_MS;
    await rig.run();
    assert.equal(rig.valid(), 2, 'when it said');
    // As when a certificate is to be revoked.
    const renewed = rig.clock.time;
    rig.server.state.suggest = { start: renewed - 3 * DAY_MS, end: renewed - 2 * DAY_MS };
    rig.clock.time += 3_600_000;
    await rig.run();
    assert.equal(rig.valid(), 3, 'at once, when that is over');
    const { time } = rig.clock;
    rig.server.state.suggest = { start: time + 300 * DAY_MS, end: time + 301 * DAY_MS };
    await rig.run();
    assert.equal((await rig.seen()).row?.held?.renewAt, time + 75 * DAY_MS, 'not after five sixths');
  });

  test('run() goes on without a word to an order that replaces what is replaced already', async () => {
    await using rig = await ordered();
    rig.clock.time = START + 61 * DAY_MS;
    let refused = 0;
    rig.server.state.refuse = (path) =>
      path === '/order' && refused++ === 0 ? { status: 409, type: 'alreadyReplaced' } : null;
    await rig.run();
    assert.equal(rig.valid(), 2);
    assert.equal(rig.server.orders[1]?.replaces, null);
  });

  test('run() bears a directory that is away for a day: what is served stays, few ask, and it is renewed after', async () => {
    await using rig = await ordered();
    const { served } = await rig.seen();
    rig.server.state.refuse = () => ({ status: 503, type: 'serverInternal' });
    rig.clock.time = START + 60 * DAY_MS;
    const before = rig.server.asked.length;
    for (let minutes = 0; minutes < 24 * 60; minutes += 5) {
      rig.clock.time += 5 * 60_000;
      await rig.run();
    }
    const asked = rig.server.asked.length - before;
    assert.ok(asked >= 3 && asked <= 12, `${asked} requests in a day`);
    assert.equal((await rig.seen()).served?.certificate, served?.certificate);
    const account = await rig.store.acme.account(rig.server.directory, newKey(), 0);
    assert.ok(account.failures >= 3 && (account.retryAt ?? 0) <= rig.clock.time + DAY_MS);
    assert.match(account.lastFailure ?? '', /503 serverInternal/);
    rig.server.state.refuse = () => null;
    rig.clock.time = account.retryAt ?? 0;
    await rig.run();
    assert.equal(rig.valid(), 2);
    const after = await rig.store.acme.account(rig.server.directory, newKey(), 0);
    assert.deepEqual([after.failures, after.retryAt], [0, null]);
  });

  test('run() tries a host that cannot be proved less and less often, with a new order each, and serves on', async () => {
    await using rig = await ordered();
    const { served } = await rig.seen();
    rig.clock.time = START + 60 * DAY_MS;
    rig.server.state.validating = async () => {
      throw new Error('no such record');
    };
    const waits: number[] = [];
    for (let tries = 1; tries <= 8; tries++) {
      await rig.run();
      const { row } = await rig.seen();
      assert.equal(row?.failures, tries);
      assert.equal(row?.ordered, false);
      assert.match(row?.lastFailure ?? '', /dns-01.*no such record/);
      waits.push((row?.retryAt ?? 0) - rig.clock.time);
      await rig.run();
      assert.equal(rig.server.orders.length, 1 + tries, 'nothing before it is time');
      rig.clock.time = row?.retryAt ?? 0;
    }
    assert.deepEqual(
      waits.toSorted((a, b) => a - b),
      waits,
    );
    assert.ok((waits[0] ?? 0) >= 45_000 && (waits.at(-1) ?? 0) <= DAY_MS);
    assert.equal((await rig.seen()).served?.certificate, served?.certificate);
    assert.equal(rig.events.filter(({ kind }) => kind === 'public_certificate.failed').length, 8);
    assert.equal(rig.left(), 0, 'no record is left');
    rig.server.state.validating = async () => undefined;
    await rig.run();
    assert.equal((await rig.seen()).row?.failures, 0);
  });

  test('run() orders nothing for a name that is not ours, or is so no more; what it has is served to its end', async () => {
    await using rig = await ordered();
    await rig.want('evil.example');
    const orderer = rig.orderer({ isOurs: () => false, holder: 'second' });
    rig.clock.time = START + 61 * DAY_MS;
    await orderer.run();
    assert.equal(rig.server.orders.length, 1);
    assert.equal((await rig.seen('evil.example')).row, null, 'it is forgotten');
    assert.ok((await rig.seen()).served !== null);
    rig.clock.time = START + 90 * DAY_MS;
    await orderer.run();
    assert.equal((await rig.seen()).row, null);
    assert.equal(rig.server.orders.length, 1);
  });

  test('run() of two gateways at once makes one order', async () => {
    await using rig = await ordered();
    rig.clock.time = START + 61 * DAY_MS;
    const others = Array.from({ length: 4 }, (_, index) => rig.orderer({ holder: `other-${index}` }));
    await Promise.all([rig.run(), ...others.map((each) => each.run())]);
    // Whoever came first may have been done before the others looked.
    await Promise.all(others.map((each) => each.run()));
    assert.equal(rig.server.orders.length, 2);
    assert.equal(rig.valid(), 2);
  });

  test('the account goes by its next key, also when that was killed half-way (RFC 8555 section 7.3.5)', async () => {
    await using rig = await ordered();
    const { acme } = rig.store;
    const keyAt = () => JSON.stringify(rig.server.accounts[0]?.jwk);
    const former = keyAt();
    const { id } = await acme.account(rig.server.directory, newKey(), 0);
    await acme.takeLease('first', HOLD_MS);
    await acme.setNextKey('first', id, newKey());
    await acme.releaseLease('first');
    // The server has changed it, and whoever asked for it is gone.
    const dying: OrdererDeps['store'] = {
      ...rig.store,
      acme: { ...acme, useNextKey: () => Promise.reject(new Error('killed')) },
    };
    await rig.orderer({ store: dying }).run();
    assert.notEqual(keyAt(), former);
    assert.equal(rig.valid(), 1);
    const changed = keyAt();
    await rig.run();
    assert.equal(keyAt(), changed, 'once');
    rig.clock.time = START + 61 * DAY_MS;
    await rig.run();
    assert.equal(rig.valid(), 2, 'by the new key');
    assert.equal(rig.server.accounts.length, 1);
    assert.equal((await acme.account(rig.server.directory, newKey(), 0)).nextKey, null);
  });
});

onEngines('public certificates, killed', ({ openStore }) => {
  test('an order that is killed at any step is taken up by another gateway: one certificate, no record left', async () => {
    const clock = { time: START };
    await using store = await openStore(() => clock.time);
    await using rig = await createAcmeRig(store, clock);
    let steps = 0;
    for (let killed = true, at = 1; killed; at++) {
      const name = `*.n${at}.test`;
      await rig.want(name);
      const dying = mortal(rig.deps, at);
      await rig.orderer({ ...dying.deps, holder: `dying-${at}`, isOurs: (of) => of === name }).run();
      killed = dying.isDead();
      // The lease is over by then, by whatever clock the store has.
      clock.time += HOLD_MS;
      await store.acme.releaseLease(`dying-${at}`);
      const next = rig.orderer({ holder: `next-${at}`, isOurs: () => true });
      await next.run();
      const { served, row } = await rig.seen(name);
      assert.ok(served !== null, `step ${at}: ${row?.lastFailure}`);
      assert.equal(row?.ordered, false);
      const made = rig.server.orders.filter((each) => each.name === name);
      assert.equal(made.filter(({ status }) => status === 'valid').length, 1, `step ${at}`);
      assert.ok(made.length <= 2, `step ${at}: ${made.length} orders`);
      await next.run();
      assert.equal(rig.left(), 0, `step ${at}: a record is left`);
      assert.deepEqual(await store.acme.challenges(), []);
      steps = at;
    }
    assert.ok(steps > 15, `${steps} steps`);
    assert.equal(rig.server.accounts.length, 1);
  });
});

/** What writes, calls or changes a record dies at its `at`th step, before or after it had its effect. */
function mortal(deps: OrdererDeps, at: number) {
  let step = 0;
  const dead = () => step >= at;
  const through =
    <Args extends readonly unknown[], Value>(call: (...args: Args) => Promise<Value>) =>
    async (...args: Args): Promise<Value> => {
      if (dead()) throw new Error('killed');
      const answer = await call(...args);
      if (++step >= at) throw new Error('killed');
      return answer;
    };
  const { acme } = deps.store;
  const { connection, dns } = deps;
  return {
    isDead: dead,
    deps: {
      store: {
        ...deps.store,
        together: <Value>(work: () => Promise<Value>) => {
          if (dead()) return Promise.reject(new Error('killed'));
          return deps.store.together(work);
        },
        acme: {
          ...acme,
          account: through(acme.account),
          beginOrder: through(acme.beginOrder),
          present: through(acme.present),
          withdraw: through(acme.withdraw),
          failed: through(acme.failed),
          noteServer: through(acme.noteServer),
          names: through(acme.names),
          challenges: through(acme.challenges),
          releaseLease: through(acme.releaseLease),
        },
      },
      connection: { ...connection, post: through(connection.post), get: through(connection.get) },
      dns: {
        waitMs: 0,
        records: { add: through(dns!.records.add), remove: through(dns!.records.remove) },
      },
    } satisfies Partial<OrdererDeps>,
  };
}

function boundTo(hmacKey: Buffer): Pick<OrdererDeps, 'externalAccount'> {
  return { externalAccount: { kid: 'kid-1', hmacKey: new Secret(hmacKey.toString('base64url')) } };
}
