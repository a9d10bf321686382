// The table beside a Map: whatever is done, it says what the Map says.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, type SessionId } from '../domain/id.ts';
import type { SessionState } from '../domain/session.ts';
import { createSessionTable } from './session-table.ts';

const NO_LIMITS = { sessions: Infinity, characters: Infinity };

test('createSessionTable() says what a Map says, through growth, changes, refusals, ageing and clearing (property)', () => {
  for (let seed = 1; seed <= 40; seed++) {
    const random = randomOf(seed);
    const below = (n: number) => Math.floor(random() * n);
    let hour = 0;
    const limits = seed % 2 === 0 ? NO_LIMITS : { sessions: 150, characters: 3_000 };
    const table = createSessionTable(limits, () => hour);
    const model = new Map<SessionId, { state: SessionState; usedAt: number }>();
    const pool = Array.from({ length: 20 + below(3_000) }, () => newId('ses'));
    for (let step = 0; step < 4_000; step++) {
      const id = pool[below(pool.length)]!;
      const action = below(1_000);
      if (action < 500) {
        const state = randomState(id, below);
        if (table.set(state)) model.set(id, { state, usedAt: hour });
        else model.delete(id);
      } else if (action < 990) {
        const found = table.get(id);
        const wanted = model.get(id);
        if (found !== undefined) assert.deepEqual(found, wanted?.state, `seed ${seed}, step ${step}`);
        // What nobody asked for in a day may be gone.
        else if (wanted !== undefined) assert.ok(hour - wanted.usedAt > 24, `seed ${seed}, step ${step}`);
        if (found === undefined) model.delete(id);
        else if (wanted !== undefined) wanted.usedAt = hour;
      } else if (action < 999) hour += below(20);
      else {
        table.clear();
        model.clear();
        assert.equal(table.size(), 0);
      }
    }
    for (const [id, { state, usedAt }] of model) {
      const found = table.get(id);
      if (hour - usedAt <= 24 || found !== undefined) assert.deepEqual(found, state);
    }
  }
});

test('createSessionTable() refuses sessions beyond its limit, but never forgets that one ended', () => {
  const table = createSessionTable({ sessions: 10, characters: 1_000 });
  const ids = Array.from({ length: 20 }, () => newId('ses'));
  const kept = ids.map((id) => table.set(stateOf(id)));
  assert.deepEqual(kept, [...Array<boolean>(10).fill(true), ...Array<boolean>(10).fill(false)]);
  for (const id of ids) assert.ok(table.set({ ...stateOf(id), ended: true }));
  for (const id of ids) assert.equal(table.get(id)?.ended, true);
});

test('createSessionTable() drops a state whose groups have no room, rather than keep what was before', () => {
  const table = createSessionTable({ sessions: 10, characters: 200 });
  const id = newId('ses');
  assert.ok(table.set(stateOf(id)));
  const facts = { groups: ['g'.repeat(300)], claims: {}, acr: null, amr: [], authTime: null, name: null };
  assert.equal(table.set({ ...stateOf(id), facts }), false);
  assert.equal(table.get(id), undefined);
  assert.equal(table.size(), 0);
});

test('createSessionTable() gives the room of groups back that nobody has any more', () => {
  const table = createSessionTable({ sessions: 10, characters: 200 });
  const id = newId('ses');
  for (let n = 0; n < 100; n++) {
    const facts = {
      groups: [`${n}`.padEnd(100, 'g')],
      claims: {},
      acr: null,
      amr: [],
      authTime: n,
      name: null,
    };
    assert.ok(table.set({ ...stateOf(id), facts }), `${n}`);
    assert.deepEqual(table.get(id)?.facts, facts);
  }
});

test('createSessionTable() keeps nothing under what is no id of a session', () => {
  const table = createSessionTable();
  const good = newId('ses');
  for (const id of [
    '',
    'ses_',
    `ses_${'u'.repeat(26)}`,
    good.replace('ses', 'shr'),
    `${good}0`,
    `ses_${'é'.repeat(26)}`,
  ]) {
    assert.equal(table.set(stateOf(id as SessionId)), false);
    assert.equal(table.get(id as SessionId), undefined);
  }
});

function stateOf(id: SessionId): SessionState {
  return { id, subject: 'one', checkedAt: 1, refreshable: true, confirmed: true, ended: false };
}

function randomState(id: SessionId, below: (n: number) => number): SessionState {
  const some = () => below(2) === 1;
  const text = () => ['', 'a', 'ä€𝄞', 'x'.repeat(below(60)), `person ${below(50)}`, '\0'][below(6)]!;
  const facts = {
    groups: some() ? null : Array.from({ length: below(4) }, () => `group ${below(9)}`),
    claims: some() ? {} : { team: [text()], __proto__x: [] },
    acr: some() ? null : text(),
    amr: some() ? [] : ['pwd'],
    authTime: some() ? null : below(1_000_000),
    name: some() ? null : text(),
  };
  return {
    id,
    subject: text(),
    checkedAt: below(2 ** 31) * 1_000 + 0.5,
    refreshable: some(),
    confirmed: some(),
    ended: some(),
    ...(some() ? {} : { emailVerified: some() }),
    ...(some() ? {} : { facts }),
  };
}

/** mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mix = Math.imul(state ^ (state >>> 15), 1 | state);
    mix = (mix + Math.imul(mix ^ (mix >>> 7), 61 | mix)) ^ mix;
    return ((mix ^ (mix >>> 14)) >>> 0) / 4_294_967_296;
  };
}
