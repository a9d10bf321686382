import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import { until } from '../../test/support/until.ts';
import type { Lender } from './agent-session.ts';
import { MAX_LENT, MAX_LENT_OF_PROCESS, MAX_TICKETS_SHOWN } from './limits.ts';
import { type Raised, Raising } from './raising.ts';

/** A place whose answers the test gives, in the order of the tries. */
function place() {
  const tries: { readonly tickets: readonly string[]; readonly answer: (raised: Raised) => void }[] = [];
  const raising = new Raising({
    dial: (tickets) => {
      const { promise, resolve } = Promise.withResolvers<Raised>();
      tries.push({ tickets, answer: resolve });
      return promise;
    },
    signal: new AbortController().signal,
  });
  return { raising, tries };
}

function lender() {
  const lent: string[] = [];
  const state = { lent, expired: 0, over: false };
  const takes: Lender = {
    lend: (_socket, ticket) => lent.push(ticket),
    expired: () => (state.expired += 1),
    isOver: () => state.over,
  };
  return { state, takes };
}

const raised = (taken: string): Raised => ({ socket: new PassThrough(), taken });

test('as many connections are dialled at once as all workers want, each with a ticket of every worker (3 Tunnel)', async () => {
  const { raising, tries } = place();
  const [one, two] = [lender(), lender()];
  raising.raise(['a', 'b'], one.takes);
  raising.raise(['x', 'y'], two.takes);
  assert.deepEqual(
    tries.map(({ tickets }) => tickets.toSorted().join('')),
    ['a', 'b', 'ax', 'by'],
  );
  // Chance takes them all to the same worker, which has used a ticket up by then.
  tries[0]?.answer(raised('a'));
  tries[1]?.answer(raised('b'));
  tries[2]?.answer(null);
  tries[3]?.answer(raised('y'));
  await until(() => tries.length === 5);
  assert.deepEqual(tries[4]?.tickets, ['x']);
  tries[4]?.answer(raised('x'));
  await until(() => two.state.lent.length === 2);
  assert.deepEqual(
    [one.state.lent, two.state.lent],
    [
      ['a', 'b'],
      ['y', 'x'],
    ],
  );
  assert.equal(tries.length, 5);
});

test('a try shows no more tickets than a gateway reads, and those first that were shown least (3 Tunnel)', () => {
  const { raising, tries } = place();
  for (let worker = 0; worker < MAX_TICKETS_SHOWN + 4; worker++)
    raising.raise([`of-${worker}`], lender().takes);
  for (const { tickets } of tries) assert.ok(tickets.length <= MAX_TICKETS_SHOWN);
  for (let worker = 0; worker < MAX_TICKETS_SHOWN + 4; worker++)
    assert.ok(tries.some(({ tickets }) => tickets.includes(`of-${worker}`)));
});

test('a connection that comes for a ticket that was used is closed, and nobody is lent it twice (THREATS "Tunnel")', async () => {
  const { raising, tries } = place();
  const { state, takes } = lender();
  raising.raise(['a'], takes);
  raising.raise(['b'], takes);
  const again = raised('a');
  tries[0]?.answer(raised('a'));
  await until(() => state.lent.length === 1);
  // A gateway that says so of another's.
  tries[1]?.answer(again);
  await until(() => again?.socket.destroyed === true);
  assert.deepEqual(state.lent, ['a']);
  // What it owes is still wanted.
  await until(() => tries.length === 3);
  assert.deepEqual(tries[2]?.tickets, ['b']);
  state.over = true;
  tries[2]?.answer(null);
  await until(() => state.expired === 1);
});

test('however many connections gateways ask for, an agent tries for no more than it may lend (THREATS "Tunnel")', () => {
  const { raising } = place();
  const lenders = Array.from({ length: 20 }, lender);
  const many = Array.from({ length: MAX_LENT }, (_none, index) => `ticket-${index}`);
  for (const { takes } of lenders) raising.raise(many, takes);
  const kept = lenders.map(({ state }) => MAX_LENT - state.expired);
  assert.equal(
    kept.reduce((sum, count) => sum + count, 0),
    MAX_LENT_OF_PROCESS,
  );
  assert.deepEqual(kept.slice(0, 4), [MAX_LENT, MAX_LENT, MAX_LENT, MAX_LENT]);
});
