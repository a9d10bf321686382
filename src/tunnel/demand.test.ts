// How many connections an agent is asked for: as many as requests wait for one, and no more.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { frame, HELLO, talkTunnel, untilAsked, type TunnelTalk } from '../../test/support/tunnel-frames.ts';
import { startTunnelRig, type TunnelRig } from '../../test/support/tunnel-rig.ts';
import { until } from '../../test/support/until.ts';
import { FRAMES, TICKET_BYTES } from './wire.ts';

const LIMIT = { timeout: 60_000 };
const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';

/** An agent that lends by hand alone. */
async function slowAgent(rig: TunnelRig) {
  const agent = talkTunnel(await rig.hostileAgent());
  agent.send(HELLO);
  await until(() => rig.edge.counts().ready === 1);
  return {
    agent,
    lend: async (): Promise<Socket> => {
      const lent = await rig.lend((await agent.ticket()) ?? '');
      assert.ok(lent !== null);
      return lent;
    },
  };
}

function asked({ heard }: TunnelTalk): number {
  return heard
    .filter(({ type }) => type === FRAMES.lend)
    .reduce((sum, { payload }) => sum + payload.byteLength / TICKET_BYTES, 0);
}

/** What the agent was told before this is heard. */
async function pinged(agent: TunnelTalk): Promise<void> {
  const pongs = () => agent.heard.filter(({ type }) => type === FRAMES.pong).length;
  const before = pongs();
  agent.send(frame(FRAMES.ping));
  await until(() => pongs() > before);
}

test('requests that come at once ask for as many connections at once (3 Tunnel)', LIMIT, async () => {
  await using rig = await startTunnelRig();
  const { agent } = await slowAgent(rig);
  const calls = Array.from({ length: 40 }, () => rig.call());
  await until(() => asked(agent) >= calls.length);
  for (const { exchange } of calls) exchange.abort();
});

test(
  'a request that went on another’s connection leaves the one that it had asked for unopened (3 Tunnel)',
  LIMIT,
  async () => {
    await using rig = await startTunnelRig();
    const { agent, lend } = await slowAgent(rig);
    const first = rig.call({ target: '/first' });
    const one = await lend();
    assert.match((await untilAsked(one)).toString(), /^GET \/first /);
    const second = rig.call({ target: '/second' });
    await until(() => asked(agent) >= 2);
    one.write(ANSWER);
    await first.done;
    const [request] = (await once(one, 'data')) as [Buffer];
    assert.match(request.toString(), /^GET \/second /);
    const spare = await lend();
    let said = 0;
    spare.on('data', (chunk: Buffer) => {
      said += chunk.byteLength;
    });
    spare.resume();
    await pinged(agent);
    await pinged(agent);
    assert.equal(said, 0, 'nobody wants the target on it');
    // It is there for the next.
    const third = rig.call({ target: '/third' });
    spare.removeAllListeners('data');
    assert.match((await untilAsked(spare)).toString(), /^GET \/third /);
    spare.write(ANSWER);
    one.write(ANSWER);
    for (const { done } of [second, third]) assert.equal((await done).status, 200);
  },
);

test('visitors who leave while they wait ask for nothing more (THREATS "Tunnel")', LIMIT, async () => {
  await using rig = await startTunnelRig();
  const { agent } = await slowAgent(rig);
  for (let visitor = 0; visitor < 300; visitor++) {
    const { exchange } = rig.call();
    await turn();
    exchange.abort();
  }
  await pinged(agent);
  // Spares are among them: some visitors did find none.
  assert.ok(asked(agent) < 50, `${asked(agent)} connections were asked for`);
});

test(
  'all agents of an account keep no more spare connections at a worker than it may have (THREATS "Tunnel")',
  LIMIT,
  async () => {
    await using rig = await startTunnelRig({ mostSparesOfAccount: 2 });
    // Nobody knows of the others yet when each is asked for its first.
    const agents = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const agent = talkTunnel(await rig.hostileAgent());
        agent.send(HELLO);
        return { agent, ticket: await agent.ticket() };
      }),
    );
    let closed = 0;
    for (const { ticket } of agents) {
      const lent = await rig.lend(ticket ?? '');
      lent?.on('close', () => (closed += 1)).on('end', () => lent.destroy());
      lent?.resume();
    }
    await until(() => closed > 0);
    for (const { agent } of agents) await pinged(agent);
    assert.equal(closed, 1);
    // The room is free again once one of them is gone.
    for (const { agent } of agents) agent.socket.destroy();
    await until(() => rig.edge.counts().tunnels === 0);
    const { lend } = await slowAgent(rig);
    const call = rig.call();
    const lent = await lend();
    assert.match((await untilAsked(lent)).toString(), /^GET /);
    lent.write(ANSWER);
    assert.equal((await call.done).status, 200);
  },
);

test(
  'a spare connection that is cut as it is wanted costs no request (issue: Staying up)',
  LIMIT,
  async () => {
    await using rig = await startTunnelRig();
    const { lend } = await slowAgent(rig);
    for (let spares = 0; spares < 2; spares++) {
      const spare = await lend();
      spare.once('data', () => spare.destroy()).resume();
      const call = rig.call({ method: 'POST' });
      const next = await lend();
      assert.match((await untilAsked(next)).toString(), /^POST /);
      next.write(ANSWER.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
      assert.equal((await call.done).status, 200);
    }
  },
);
