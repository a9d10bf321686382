// THREATS "Public certificates": an ACME server that is broken or hostile, one order that it cannot bear,
// clocks that are wrong, and a tenant who burns what the server allows.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import type { AcmeConnection } from '../../src/acme/connection.ts';
import { signedUpdate } from '../../src/acme/dns/message.ts';
import { FIRST_USE_LIMITS } from '../../src/acme/first-use.ts';
import { newKey } from '../../src/acme/jws.ts';
import { newId } from '../../src/domain/id.ts';
import { Secret } from '../../src/domain/secret.ts';
import { servedMaterials } from '../../src/serve/public-certificates.ts';
import { createAcmeRig } from '../support/acme-rig.ts';
import { onEngines } from '../support/on-engines.ts';
import { openTestStore } from '../support/store.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 1);

onEngines('ACME servers', ({ openStore }) => {
  async function rigged() {
    const clock = { time: START };
    const store = await openStore(() => clock.time);
    const rig = await createAcmeRig(store, clock);
    return {
      ...rig,
      store,
      clock,
      async [Symbol.asyncDispose]() {
        await rig[Symbol.asyncDispose]();
        await store[Symbol.asyncDispose]();
      },
    };
  }

  test('a server that asks for a proof of another host, or of very many, gets none', async () => {
    await using rig = await rigged();
    await rig.want();
    const asksFor = (host: string): AcmeConnection => ({
      ...rig.deps.connection,
      async post(url, ...rest) {
        const answer = await rig.deps.connection.post(url, ...rest);
        if (!url.includes('/authorization/')) return answer;
        return { ...answer, body: { ...(answer.body as object), identifier: { type: 'dns', value: host } } };
      },
    });
    for (const host of ['victim.test', 'share.test.evil.test', `${'x'.repeat(200)}.share.test`, '']) {
      rig.clock.time += DAY_MS;
      await rig.orderer({ connection: asksFor(host) }).run();
      assert.equal(rig.txtEver.size, 0, `a record is put for ${host}`);
      assert.match((await rig.seen()).row?.lastFailure ?? '', /Cannot prove share\.test/);
    }
    let read = 0;
    const endless: AcmeConnection = {
      ...rig.deps.connection,
      async post(url, ...rest) {
        if (url.includes('/authorization/')) read++;
        const answer = await rig.deps.connection.post(url, ...rest);
        if (!url.includes('/order/')) return answer;
        const body = answer.body as { authorizations: string[] };
        return { ...answer, body: { ...body, authorizations: Array(1_000).fill(body.authorizations[0]) } };
      },
    };
    rig.clock.time += DAY_MS;
    await rig.orderer({ connection: endless }).run();
    assert.equal(read, 0);
    assert.match((await rig.seen()).row?.lastFailure ?? '', /too many proofs/);
  });

  test('addresses that the server names are called at its own place, or at public addresses', async () => {
    await using rig = await rigged();
    let called = 0;
    const inside = createServer((_request, response) => {
      called++;
      response.writeHead(200, { 'replay-nonce': 'abc' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(inside, 'listening');
    try {
      const { port } = inside.address() as AddressInfo;
      for (const url of [
        `http://127.0.0.1:${port}/`,
        `http://localhost:${port}/`,
        'https://169.254.169.254/',
      ]) {
        await assert.rejects(rig.deps.connection.get(url, 'read it'), /Cannot read it: Cannot dial/, url);
      }
      assert.equal(called, 0);
    } finally {
      inside.close();
    }
  });

  test('one order that the server cannot bear holds up no other, and is given up for a new one', async () => {
    await using rig = await rigged();
    await rig.want('*.bad.test');
    const orderer = rig.orderer();
    rig.server.state.refuse = (path) =>
      /^\/(?:order|authorization)\/0$/.test(path) ? { status: 500, type: 'serverInternal' } : null;
    await orderer.run();
    await rig.want('*.good.test');
    rig.clock.time += 2 * MINUTE_MS;
    await orderer.run();
    assert.ok((await rig.seen('*.good.test')).served !== null);
    const { failures } = await rig.store.acme.account(rig.server.directory, newKey(), 0);
    assert.equal(failures, 0, 'the server is not away');
    for (let tries = 0; tries < 4; tries++) {
      rig.clock.time += 60 * MINUTE_MS;
      await orderer.run();
    }
    assert.ok((await rig.seen('*.bad.test')).served !== null);
  });

  test('a clock that is ahead orders no more than once a day, and waits for nothing once it is set back', async () => {
    await using rig = await rigged();
    await rig.want();
    const connection = rig.deps.connection;
    // The server's clock is right: what it issues is old here.
    const ahead = { now: () => rig.clock.time + 70 * DAY_MS };
    const orderer = rig.orderer({ connection, ...ahead });
    for (let minutes = 0; minutes < 60; minutes++) {
      rig.clock.time += MINUTE_MS;
      await orderer.run();
    }
    assert.equal(rig.valid(), 1);
    assert.ok((await rig.seen()).served !== null, 'visitors whose clock is right are served');
    rig.clock.time = START + 61 * DAY_MS;
    await rig.orderer().run();
    assert.equal(rig.valid(), 2, 'its time was far off');
    const over = rig.orderer({ now: () => rig.clock.time + 100 * DAY_MS });
    await rig.want('*.over.test');
    for (let minutes = 0; minutes < 30; minutes++) {
      rig.clock.time += MINUTE_MS;
      await over.run();
    }
    assert.match((await rig.seen('*.over.test')).row?.lastFailure ?? '', /by the clock of this machine/);
    assert.ok(rig.server.orders.filter(({ name }) => name === '*.over.test').length <= 4);
    await rig.orderer().run();
    assert.ok((await rig.seen('*.over.test')).served !== null, 'tried again as soon as the clock is right');
  });

  test('a server that suggests to renew whatever it issues is not followed without end', async () => {
    await using rig = await rigged();
    await rig.want();
    rig.server.state.suggest = { start: START - 2 * DAY_MS, end: START - DAY_MS };
    const orderer = rig.orderer();
    for (let minutes = 0; minutes < 60; minutes++) {
      rig.clock.time += MINUTE_MS;
      await orderer.run();
    }
    assert.ok(rig.valid() >= 2 && rig.valid() <= 3, `${rig.valid()} certificates in an hour`);
  });

  test('a server that refuses another account key keeps no certificate from being renewed', async () => {
    await using rig = await rigged();
    const { acme } = rig.store;
    await rig.want();
    const { id } = await acme.account(rig.server.directory, newKey(), 0);
    await acme.takeLease('first', MINUTE_MS);
    await acme.setNextKey('first', id, newKey());
    rig.server.state.refuse = (path) =>
      path === '/key-change' ? { status: 503, type: 'serverInternal' } : null;
    await rig.orderer().run();
    assert.ok((await acme.account(rig.server.directory, newKey(), 0)).nextKey !== null, 'it is tried again');
    rig.clock.time += 2 * MINUTE_MS;
    rig.server.state.refuse = (path) => (path === '/key-change' ? { status: 409, type: 'conflict' } : null);
    await rig.orderer().run();
    assert.ok((await rig.seen()).served !== null);
    assert.equal((await acme.account(rig.server.directory, newKey(), 0)).nextKey, null);
  });

  test('what a name server or a program says steers no terminal', async () => {
    await using rig = await rigged();
    await rig.want();
    const { remove } = rig.deps.dns!.records;
    const records = { remove, add: () => Promise.reject(new Error('no\x1b]0;title\x07\r\nforged\u202e')) };
    await rig.orderer({ dns: { waitMs: 0, records } }).run();
    assert.equal((await rig.seen()).row?.lastFailure, 'no?]0;title???forged?');
    assert.match(rig.events.at(-1)?.reason ?? '', /^[\x20-\x7e]+$/);
  });

  test('a share that is deleted again does not give back what its host burnt', async () => {
    await using rig = await rigged();
    const accountId = newId('acc');
    const orderer = rig.orderer({ isOurs: () => false });
    let begun = 0;
    for (let index = 0; index < FIRST_USE_LIMITS.mostOfAccount + 5; index++) {
      const wanted = { name: `h${index}.test`, accountId, at: rig.clock.time };
      if ((await rig.store.acme.want(wanted, FIRST_USE_LIMITS)) === 'wanted') begun++;
      rig.clock.time += MINUTE_MS;
      await orderer.run();
    }
    assert.equal(begun, FIRST_USE_LIMITS.mostOfAccount);
    rig.clock.time += FIRST_USE_LIMITS.windowMs;
    await orderer.run();
    assert.deepEqual(await rig.store.acme.names(), [], 'they are forgotten later');
  });
});

test('a name that is none never becomes another record of a dynamic update (RFC 1035 section 2.3.4)', () => {
  const key = { name: 'doorward', algorithm: 'hmac-sha256', secret: new Secret('c2VjcmV0') } as const;
  const sign = (name: string, value = 'x') =>
    signedUpdate({ zone: 'example.test', change: 'add', record: { name, value }, id: 7, at: 1 }, key);
  for (const name of [`_acme-challenge.${'x'.repeat(64)}.test`, 'x'.repeat(256), `${'ab.'.repeat(100)}test`])
    assert.throws(() => sign(name), RangeError);
  assert.throws(() => sign('_acme-challenge.a.test', 'x'.repeat(256)), RangeError);
  assert.ok(sign(`_acme-challenge.${'x'.repeat(63)}.test`).message.length > 0);
});

test('a damaged row keeps no other certificate from being served, and no gateway from starting', async () => {
  const clock = { time: START };
  await using store = await openTestStore(() => clock.time);
  await using rig = await createAcmeRig(store, clock);
  for (const name of ['*.a.test', '*.b.test', '*.c.test']) {
    clock.time += 1_000;
    await rig.want(name);
    await rig.orderer().run();
  }
  const errors: unknown[] = [];
  const log = { ...rig.deps.log, error: (fields: object) => void errors.push(fields) };
  const names = async () =>
    (await servedMaterials(store.acme, clock.time, log)).map((material) => material.names?.join());
  assert.deepEqual(await names(), ['*.a.test', '*.b.test', '*.c.test']);
  const file = new DatabaseSync(store.sqliteFile);
  try {
    file.exec(`UPDATE acme_names SET certificate = 'garbage' WHERE name = '*.a.test'`);
    file.exec(`UPDATE acme_names SET private_key = 'garbage' WHERE name = '*.b.test'`);
  } finally {
    file.close();
  }
  assert.deepEqual(await names(), ['*.c.test']);
  assert.deepEqual(errors, [{ name: '*.b.test' }, { name: '*.a.test' }]);
});
