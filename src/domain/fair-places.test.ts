import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createFairPlaces, type FairPlaces, type PlacesOptions } from './fair-places.ts';

test('createFairPlaces() gives the next place to whoever has the fewest, and in one lane to who came first', async () => {
  const { enter, told } = rig({ atOnce: 3, waiting: 100 });
  const flood = Array.from({ length: 20 }, (_, number) => enter('flood', `flood ${number}`));
  const quiet = enter('quiet', 'quiet');
  assert.deepEqual(await told(), ['flood 0', 'flood 1', 'flood 2']);
  await leave(flood[0]);
  assert.deepEqual(await told(), ['flood 0', 'flood 1', 'flood 2', 'quiet']);
  await leave(quiet);
  assert.deepEqual((await told()).at(-1), 'flood 3');
});

test('createFairPlaces() keeps some places free of any one lane', async () => {
  const { enter, told, places } = rig({ atOnce: 3, ofLane: 2, waiting: 100 });
  for (let number = 0; number < 5; number++) void enter('flood', `flood ${number}`);
  assert.deepEqual(await told(), ['flood 0', 'flood 1']);
  void enter('quiet', 'quiet');
  assert.deepEqual((await told()).at(-1), 'quiet');
  assert.deepEqual([places.outstanding('flood'), places.outstanding('quiet')], [5, 1]);
});

test('createFairPlaces() turns away the last of the longest line when too many wait', async () => {
  const { enter, told } = rig({ atOnce: 1, waiting: 3 });
  const first = enter('flood', 'flood 0');
  const line = [1, 2, 3].map((number) => enter('flood', `flood ${number}`));
  await assert.rejects(enter('flood', 'flood 4'), /too many calls wait/);
  const quiet = enter('quiet', 'quiet');
  await assert.rejects(line[2]!, /too many calls wait/);
  await leave(first);
  await leave(quiet);
  assert.deepEqual(await told(), ['flood 0', 'quiet', 'flood 1']);
});

test('createFairPlaces() shares a lane’s places and its line fairly among its parts', async () => {
  const { enter, told, places } = rig({ atOnce: 4, ofLane: 3, waiting: 4 });
  const flood = Array.from({ length: 7 }, (_, number) => enter('block', `flood ${number}`, 'flood'));
  assert.deepEqual([places.outstanding('block', 'flood'), places.outstanding('block', 'quiet')], [7, 0]);
  const quiet = enter('block', 'quiet', 'quiet');
  await assert.rejects(flood[6]!, /too many calls wait/);
  await assert.rejects(enter('block', 'flood 7', 'flood'), /too many calls wait/);
  assert.deepEqual([places.outstanding('block', 'flood'), places.outstanding('block', 'quiet')], [6, 1]);
  await leave(flood[0]);
  assert.deepEqual((await told()).at(-1), 'quiet', 'before those of the flood that came first');
  await leave(quiet);
  assert.deepEqual((await told()).at(-1), 'flood 3');
  assert.deepEqual([places.outstanding('block', 'flood'), places.outstanding('block', 'quiet')], [5, 0]);
});

test('createFairPlaces() serves a part whose turn it is by who came first, whoever of it came before', async () => {
  const { enter, told } = rig({ atOnce: 1, waiting: 10 });
  const first = enter('block', 'a 1', 'a');
  const line = ['a', 'b', 'b', 'a'].map((part, index) => enter('block', `${part} ${index + 2}`, part));
  await Promise.all([first, ...line].map(leave));
  assert.deepEqual(await told(), ['a 1', 'a 2', 'b 3', 'b 4', 'a 5']);
});

test('createFairPlaces() waits as long as the signal lets it, and a place is left once', async () => {
  const { enter, told, places } = rig({ atOnce: 1, waiting: 3 });
  const first = await enter('a', 'first');
  const controller = new AbortController();
  const over = places.enter('b', controller.signal);
  controller.abort(new Error('over'));
  await assert.rejects(over, /over/);
  await assert.rejects(places.enter('b', controller.signal), /over/);
  assert.equal(places.outstanding('b'), 0);
  first();
  first();
  void enter('a', 'second');
  void enter('a', 'third');
  assert.deepEqual(await told(), ['first', 'second']);
});

test('createFairPlaces() holds a place for a while, whenever it is left', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const { enter, told } = rig({ atOnce: 1, waiting: 3, held: { ms: 1000, clock: CLOCK } });
  (await enter('a', 'first'))();
  void enter('b', 'second');
  t.mock.timers.tick(900);
  assert.deepEqual(await told(), ['first']);
  t.mock.timers.tick(200);
  assert.deepEqual(await told(), ['first', 'second']);
});

function rig(options: PlacesOptions) {
  const places: FairPlaces = createFairPlaces(options);
  const entered: string[] = [];
  const { signal } = new AbortController();
  const enter = async (lane: string, who: string, part?: string) => {
    const left = await places.enter(lane, signal, part);
    entered.push(who);
    return left;
  };
  const told = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return entered;
  };
  return { places, enter, told };
}

const CLOCK = { now: () => performance.now(), after: (ms: number, run: () => void) => setTimeout(run, ms) };

async function leave(place: Promise<() => void> | undefined): Promise<void> {
  (await place)?.();
}
