// The suite's part on finding sessions by a part of their address: as they come and go, and after an upgrade.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../domain/id.ts';
import type { SessionQuery } from '../sessions/choice.ts';
import type { Store } from '../store.ts';
import {
  addSession,
  addShare,
  ANY_SESSION,
  type Begin,
  type Bench,
  benchOf,
  type OpenBench,
  START,
} from './bench.test-support.ts';

export function sessionSearchSuite(open: OpenBench): void {
  test('sessions.list() finds by any part of the address, whatever its case, with the index and without', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const share = await addShare(store);
    const emails = [
      'Ann.Smith@corp.example',
      'bob@corp.example',
      '100%_sure@x.test',
      'zoë-ärztin@praxis.test',
    ];
    for (const [n, email] of emails.entries()) await begin(store, { share, at: START + n, email });
    await begin(store, { share, at: START + 9, email: 'ann.smith@corp.example' });
    await begin(store, { share: await addShare(store), at: START, email: 'ann.smith@corp.example' });
    const found = async (text: string) =>
      (await list(bench, share, text)).map((email) => emails.indexOf(email));
    for (const isFilled of [true, false]) {
      if (isFilled) while (await store.sessions.index());
      else await bench.raw(`UPDATE session_emails_filled SET after_id = ''`);
      assert.deepEqual(await found('ANN.SMITH@corp.example'), [-1, 0]);
      assert.deepEqual(await found('mith@cor'), [-1, 0]);
      assert.deepEqual(await found('corp.example'), [-1, 1, 0]);
      assert.deepEqual(await found('nn.smith@corp.examples'), []);
      assert.deepEqual(await found('0%_s'), [2]);
      assert.deepEqual(await found('%_%'), []);
      assert.deepEqual(await found('ärzt'), [3]);
      assert.deepEqual(await found('zoë-ä'), [3]);
      assert.deepEqual(await found('o'), [-1, 3, 1, 0]);
    }
  });

  test('sessions.list() finds by the index what is there, and asks nothing else', async () => {
    await using bench = await benchOf(open);
    const share = await addShare(bench.store);
    await begin(bench.store, { share, at: START, email: 'ann@corp.example' });
    while (await bench.store.sessions.index());
    assert.deepEqual(await list(bench, share, 'ann@'), ['ann@corp.example']);
    await bench.raw('DELETE FROM session_email_parts');
    assert.deepEqual(await list(bench, share, 'ann@'), []);
    assert.deepEqual(await list(bench, share, 'an'), ['ann@corp.example']);
  });

  test('sessions.index() adds the sessions of before an upgrade, which are found meanwhile', async () => {
    await using bench = await benchOf(open);
    const { store } = bench;
    const share = await addShare(store);
    for (let n = 0; n < 120; n++)
      await begin(store, { share, at: START + n, email: `person-${n}@corp.example` });
    await bench.raw('DELETE FROM session_emails');
    await bench.raw(`UPDATE session_emails_filled SET after_id = ''`);
    assert.deepEqual(await list(bench, share, 'rson-77@'), ['person-77@corp.example']);
    const others = [store, await bench.again(), await bench.again()];
    await Promise.all(
      others.map(async ({ sessions }) => {
        while (await sessions.index());
      }),
    );
    assert.deepEqual(
      (await bench.rows('SELECT after_id FROM session_emails_filled')).map((row) => row['after_id']),
      [null],
    );
    assert.equal((await bench.rows('SELECT 1 FROM session_emails')).length, 120);
    assert.deepEqual(await list(bench, share, 'rson-77@'), ['person-77@corp.example']);
  });

  test('sweep() forgets an address with its last session', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const share = await addShare(store);
    const kept = () => bench.rows('SELECT email FROM session_emails ORDER BY email');
    const last = (at: number, email: string) => begin(store, { share, at, email, lifetimeMs: 10 });
    await last(START, 'ann@corp.example');
    await last(START, 'bob@corp.example');
    await last(START + 9 * DAY_MS, 'bob@corp.example');
    clock.time = START + 8 * DAY_MS;
    await store.sweep(START + 8 * DAY_MS);
    assert.deepEqual(
      (await kept()).map((row) => row['email']),
      ['bob@corp.example'],
    );
    clock.time = START + 20 * DAY_MS;
    await store.sweep(START + 20 * DAY_MS);
    assert.deepEqual(await kept(), []);
    assert.deepEqual(await bench.rows('SELECT 1 FROM session_email_parts'), []);
  });

  test('sweep() forgets an address whose session that was seen last went before another', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const share = await addShare(store);
    const email = 'ann@corp.example';
    await begin(store, { share, at: START, email, lifetimeMs: 60 * DAY_MS });
    await begin(store, { share, at: START + 20 * DAY_MS, email, lifetimeMs: 10 });
    const kept = () => bench.rows('SELECT email FROM session_emails');
    for (const [day, rows] of [
      [30, 1],
      [70, 0],
    ] as const) {
      clock.time = START + day * DAY_MS;
      await store.sweep(clock.time - 7 * DAY_MS);
      assert.equal((await kept()).length, rows);
    }
    assert.deepEqual(await bench.rows('SELECT 1 FROM session_email_parts'), []);
  });

  test('a login at the moment in which the last session of its address is swept is found', async () => {
    await using bench = await benchOf(open);
    const { store, clock } = bench;
    const other = await bench.again();
    const share = await addShare(store);
    while (await store.sessions.index());
    const emails = Array.from({ length: 40 }, (_, n) => `person-${n}@corp.example`);
    for (const email of emails) await begin(store, { share, at: START, email, lifetimeMs: 10 });
    clock.time = START + 30 * DAY_MS;
    const logins = emails.map((email) => begin(other, { share, at: clock.time, email }));
    await Promise.all([store.sweep(START + 20 * DAY_MS), ...logins]);
    for (const email of emails) assert.deepEqual(await list(bench, share, email), [email]);
  });
}

/** Each in a browser of its own. */
function begin(store: Store, session: Begin): Promise<unknown> {
  return addSession(store, { ...session, browser: newId('ses') });
}

async function list(
  { store }: Pick<Bench, 'store'>,
  { accountId }: Pick<SessionQuery, 'accountId'>,
  text: string,
): Promise<readonly string[]> {
  const { sessions, next } = await store.sessions.list({ ...ANY_SESSION, accountId, text });
  assert.equal(next, null);
  return sessions.map(({ row }) => row.email);
}

const DAY_MS = 24 * 60 * 60_000;
