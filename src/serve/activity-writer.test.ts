import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noFigures, type ShareActivity } from '../domain/activity.ts';
import { newId, type ShareId } from '../domain/id.ts';
import { createActivityWriter } from './activity-writer.ts';

const NOW = Date.UTC(2030, 0, 1);

test('createActivityWriter() writes one batch at a time, and adds up what comes meanwhile', async () => {
  const written: (readonly ShareActivity[])[] = [];
  const first = Promise.withResolvers<void>();
  const add = async (at: number, shares: readonly ShareActivity[]) => {
    assert.equal(at, NOW);
    written.push(shares);
    if (written.length === 1) await first.promise;
  };
  const writer = createActivityWriter({ table: { add }, now: () => NOW, log: SILENT });
  const [one, other] = [activityOf(newId('shr')), activityOf(newId('shr'))];
  writer.add([one]);
  writer.add([one, other]);
  writer.add([other]);
  assert.deepEqual(written, [[one]]);
  first.resolve();
  await writer.close();
  assert.deepEqual(written.slice(1), [[one, { ...other, requests: 6, answered: 4, refused: 2, faulted: 0 }]]);
});

test('createActivityWriter() tries again what the store did not take, and tells the log', async () => {
  const warned: string[] = [];
  const written: (readonly ShareActivity[])[] = [];
  const away = Promise.withResolvers<void>();
  const back = Promise.withResolvers<void>();
  let isAway = true;
  const add = async (_at: number, shares: readonly ShareActivity[]) => {
    if (isAway) {
      away.resolve();
      throw new Error('away');
    }
    written.push(shares);
    back.resolve();
  };
  const log = { ...SILENT, warn: (_fields: object, message: string) => void warned.push(message) };
  const writer = createActivityWriter({ table: { add }, now: () => NOW, log });
  const one = activityOf(newId('shr'));
  writer.add([one]);
  await away.promise;
  isAway = false;
  writer.add([one]);
  await back.promise;
  assert.deepEqual(written, [[{ ...one, requests: 6, answered: 4, refused: 2, faulted: 0 }]]);
  assert.deepEqual(warned, ['Cannot write how many requests shares got']);
});

test('createActivityWriter() gives up at the end what the store does not take', async () => {
  const writer = createActivityWriter({ table: { add: refuse }, now: () => NOW, log: SILENT });
  writer.add([activityOf(newId('shr'))]);
  await writer.close();
});

function refuse(): Promise<void> {
  return Promise.reject(new Error('away'));
}

function activityOf(shareId: ShareId): ShareActivity {
  return { shareId, accountId: 'acc_one', requests: 3, answered: 2, refused: 1, faulted: 0, ...noFigures() };
}

const SILENT = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
