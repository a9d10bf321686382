import assert from 'node:assert/strict';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { test } from 'node:test';
import type { Lookup } from '../providers/dial-target.ts';
import { createNameTurns } from './name-turns.ts';
import { lookOnce } from './target-look.ts';

const SILENT = { info() {}, warn() {}, error() {}, debug() {} };
const NEVER = new AbortController().signal;

test('lookOnce() asks for one name at a time, and for no other while the system is at one, long after nobody waits (THREATS "Exhaustion")', async () => {
  const system = hangingSystem();
  const names = createNameTurns(system.lookup);
  const targets = Array.from({ length: 30 }, (_, index) => `http://dead-${index}.example`);
  const deps = { shares: sharesOf(targets), rules: () => RULES, log: SILENT, names };
  const stop = new AbortController();
  const look = lookOnce(deps, { after: null, signal: stop.signal });
  await settled();
  assert.equal(system.asked.length, 1);
  // The look is over; the system is not.
  stop.abort();
  const again = new AbortController();
  const next = lookOnce(deps, { after: null, signal: again.signal });
  await settled();
  assert.equal(system.asked.length, 1);
  system.answer();
  await look;
  await settled();
  assert.equal(system.asked.length, 2);
  again.abort();
  system.answer();
  await next;
  assert.equal(system.asked.length, 2);
});

test('createNameTurns() asks seldom for a name that was slow to be answered, and goes on with others', async (t) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const asked: string[] = [];
  const names = createNameTurns((name) => {
    asked.push(name);
    if (name === 'slow.example') now += 1_500;
    return Promise.reject(new Error('no such name'));
  });
  const ask = (name: string) => names(name, NEVER, (lookup) => lookup(name).catch(() => 'not found'));
  assert.equal(await ask('slow.example'), 'not found');
  assert.equal(await ask('slow.example'), null);
  assert.equal(await ask('quick.example'), 'not found');
  assert.equal(await ask('quick.example'), 'not found');
  now += 120_001;
  assert.equal(await ask('slow.example'), 'not found');
  assert.deepEqual(asked, ['slow.example', 'quick.example', 'quick.example', 'slow.example']);
});

/** Answers nothing by itself. */
function hangingSystem() {
  const asked: string[] = [];
  const waiting: (() => void)[] = [];
  const lookup: Lookup = (name) => {
    asked.push(name);
    const { promise, reject } = Promise.withResolvers<readonly { readonly address: string }[]>();
    waiting.push(() => reject(new Error('the servers of the name are away')));
    return promise;
  };
  return { asked, lookup, answer: () => waiting.shift()?.() };
}

function sharesOf(targets: readonly string[]) {
  return {
    takeLook: () => Promise.resolve(true),
    targetsToLook: () => Promise.resolve({ targets, next: null }),
    looked: () => Promise.resolve(),
  };
}

/** Whatever needs no answer of the system has happened. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await nextTurn();
}

const RULES = { ownListeners: [], directTargets: [] };
