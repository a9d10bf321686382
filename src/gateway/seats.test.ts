import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeats } from './seats.ts';

const LIMITS = { place: 10, owner: 12, ownerAtMost: 18, worker: 16, reserve: 3 };

/** By shares of accounts of their own. */
function seatsOf(limits = LIMITS) {
  const seats = createSeats(limits);
  const take = (place: string, client: string, portion: number, owner = place) =>
    seats.take({ place, owner, client, around: null, portion });
  return { take, leave: (place: string, client: string) => seats.leave({ place, client, around: null }) };
}

function stranger(client: string, around: string | null) {
  return { place: 'a', owner: 'a', client, around, portion: 2 };
}

test('take() gives one visitor no more than a portion of a share, and others theirs', () => {
  const { take, leave } = seatsOf();
  for (let count = 0; count < 4; count++) take('a', 'eve', 4);
  assert.throws(() => take('a', 'eve', 4), { code: 'rate_limited' });
  take('a', 'ada', 4);
  take('b', 'eve', 4);
  leave('a', 'eve');
  take('a', 'eve', 4);
  assert.throws(() => take('a', 'eve', 4), { code: 'rate_limited' });
});

test('take() gives the /48 around strangers the portions of four, however many sites it has, and others theirs', () => {
  const seats = createSeats({ ...LIMITS, place: 12 });
  for (let site = 0; site < 8; site++) seats.take(stranger(`site ${site}`, 'block'));
  assert.throws(() => seats.take(stranger('site 9', 'block')), { code: 'rate_limited' });
  seats.take(stranger('elsewhere', 'other block'));
  seats.take(stranger('192.0.2.1', null));
  seats.leave(stranger('site 0', 'block'));
  seats.take(stranger('site 9', 'block'));
  assert.throws(() => seats.take(stranger('site 10', 'block')), { code: 'rate_limited' });
  for (let site = 1; site < 10; site++) seats.leave(stranger(`site ${site}`, 'block'));
  for (let site = 0; site < 8; site++) seats.take(stranger(`site ${site}`, 'block'));
});

test('take() keeps a reserve of each share when others have filled the worker', () => {
  const { take, leave } = seatsOf();
  for (let count = 0; count < 10; count++) take('a', `visitor-${count}`, 4);
  assert.throws(() => take('a', 'another', 4), { code: 'backend_timeout' });
  for (let count = 0; count < 6; count++) take('b', `visitor-${count}`, 4);
  for (const place of ['c', 'd', 'e']) {
    for (let count = 0; count < 3; count++) take(place, 'ada', 4);
    assert.throws(() => take(place, 'bea', 4), { code: 'backend_timeout' });
  }
  assert.throws(() => take('b', 'another', 4), { code: 'backend_timeout' });
  for (let count = 0; count < 10; count++) leave('a', `visitor-${count}`);
  take('b', 'another', 4);
});

test('leave() of a seat that nobody took changes nothing', () => {
  const { take, leave } = seatsOf();
  leave('a', 'eve');
  take('a', 'ada', 4);
  leave('a', 'eve');
  leave('a', 'ada');
  leave('a', 'ada');
  for (let count = 0; count < 10; count++) take('a', `visitor-${count}`, 4);
  assert.throws(() => take('a', 'another', 4), { code: 'backend_timeout' });
});

test('take() gives the shares of one account no more than a part of the worker, and each its reserve', () => {
  const { take, leave } = seatsOf();
  for (let count = 0; count < 10; count++) take('a', `visitor-${count}`, 4, 'mallory');
  for (let count = 0; count < 3; count++) take('b', `visitor-${count}`, 4, 'mallory');
  assert.throws(() => take('b', 'another', 4, 'mallory'), { code: 'backend_timeout' });
  for (let count = 0; count < 3; count++) take('c', `visitor-${count}`, 4, 'alice');
  leave('a', 'visitor-0');
  leave('a', 'visitor-1');
  take('b', 'another', 4, 'mallory');
});

test('take() bounds an account by however many shares it takes its reserves', () => {
  const { take } = seatsOf({ ...LIMITS, worker: 100 });
  for (let count = 0; count < 18; count++) take(`share-${count}`, `visitor-${count}`, 4, 'mallory');
  assert.throws(() => take('share-18', 'another', 4, 'mallory'), { code: 'backend_timeout' });
  take('c', 'ada', 4, 'alice');
});
