import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId, type SessionId } from '../domain/id.ts';
import type { SessionState } from '../domain/session.ts';
import { createSessionFill, type SessionFillDeps } from './session-fill.ts';

const ids = Array.from({ length: 10 }, () => newId('ses')).toSorted();

function stateOf(id: SessionId): SessionState {
  return { id, subject: 'one', checkedAt: 1, refreshable: true, confirmed: true, ended: false };
}

/** Pages of three; the second holds nothing that counts. */
const counting: SessionFillDeps['sessions']['counting'] = async (after) => {
  const from = after === null ? 0 : ids.indexOf(after) + 1;
  const page = ids.slice(from, from + 3);
  return {
    states: from === 3 ? [] : page.map(stateOf),
    next: page.length < 3 ? null : (page.at(-1) ?? null),
  };
};

test('createSessionFill() tells of every page, but not of what ended here and is not written yet', async () => {
  const told: SessionId[] = [];
  const fill = createSessionFill({
    sessions: { counting },
    owed: () => new Set([ids[1]!]),
    teller: () => async (states) => void told.push(...states.map(({ id }) => id)),
  });
  await fill.begin();
  assert.deepEqual(told, [ids[0], ids[2], ...ids.slice(6)]);
});

test('createSessionFill() tells nothing that was read before it was stopped: changes may have been missed', async () => {
  const told: SessionId[] = [];
  const page = Promise.withResolvers<void>();
  const fill = createSessionFill({
    sessions: {
      counting: async (after) => {
        await page.promise;
        return counting(after);
      },
    },
    owed: () => new Set(),
    teller: () => async (states) => void told.push(...states.map(({ id }) => id)),
  });
  const first = fill.begin();
  fill.stop();
  page.resolve();
  await first;
  assert.deepEqual(told, []);
  // And from the first one on when it begins again; twice at once is once.
  await Promise.all([fill.begin(), fill.begin()]);
  assert.deepEqual(told, [...ids.slice(0, 3), ...ids.slice(6)]);
});

test('createSessionFill() tells of each page only those who were there before it was read', async () => {
  const steps: string[] = [];
  const fill = createSessionFill({
    sessions: {
      counting: async (after) => {
        steps.push('read');
        return counting(after);
      },
    },
    owed: () => new Set(),
    teller: () => {
      steps.push('who is there');
      return async () => void steps.push('told');
    },
  });
  await fill.begin();
  const page = ['who is there', 'read', 'told'];
  assert.deepEqual(steps, [...page, 'who is there', 'read', ...page, ...page]);
});

test('createSessionFill() tells of none that ended here, though the store takes it while a page is read', async () => {
  const told: SessionId[] = [];
  const owed = new Set([ids[0]!]);
  const fill = createSessionFill({
    sessions: {
      counting: async (after) => {
        const page = await counting(after);
        // Read before it was written.
        owed.clear();
        return page;
      },
    },
    owed: () => new Set(owed),
    teller: () => async (states) => void told.push(...states.map(({ id }) => id)),
  });
  await fill.begin();
  assert.deepEqual(told, [ids[1], ids[2], ...ids.slice(6)]);
});

test('createSessionFill() gives up without harm when the store cannot be read', async () => {
  const away = { counting: () => Promise.reject(new Error('away')) };
  await createSessionFill({ sessions: away, owed: () => new Set(), teller: () => async () => {} }).begin();
});
