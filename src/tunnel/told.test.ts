import assert from 'node:assert/strict';
import { test } from 'node:test';
import { talkTunnel, untilAsked } from '../../test/support/tunnel-frames.ts';
import { startTunnelRig } from '../../test/support/tunnel-rig.ts';
import { until } from '../../test/support/until.ts';
import { writeFrame } from './frames.ts';
import { writeHello } from './hello.ts';
import { MAX_FRAME_BYTES } from './limits.ts';
import { readTold, type ServedRequest, writeTold } from './told.ts';
import { FRAMES } from './wire.ts';

const LIMIT = { timeout: 60_000 };
const REQUEST: ServedRequest = {
  head: { method: 'GET', path: '/' },
  outcome: { status: 200, fault: null },
  durationMs: 3,
  email: 'ada@example.com',
};

for (const watches of [true, false])
  test(
    `an agent ${watches ? 'that watches is told of each request' : 'that watches nothing is told of none'} (2.6)`,
    LIMIT,
    async () => {
      await using rig = await startTunnelRig();
      const agent = talkTunnel(await rig.hostileAgent());
      agent.send(writeFrame(FRAMES.hello, writeHello({ host: 'target.test', watches })));
      await until(() => rig.edge.counts().ready === 1);
      const call = rig.call({ target: '/page' });
      const lent = await rig.lend((await agent.ticket()) ?? '');
      assert.ok(lent !== null);
      await untilAsked(lent);
      lent.write('HTTP/1.1 204 No Content\r\n\r\n');
      await call.done;
      const told = () => agent.heard.filter(({ type }) => type === FRAMES.told);
      if (watches) await until(() => told().length > 0);
      // It ends behind what there still is to tell.
      agent.send(writeFrame(FRAMES.leave));
      await agent.closed;
      const requests = told().flatMap(({ payload }) => readTold(payload) ?? []);
      assert.deepEqual(
        requests.map(({ head, outcome }) => [head.path, outcome.status]),
        watches ? [['/page', 204]] : [],
      );
    },
  );

test('writeTold() makes frames that readTold() reads, none larger than a frame may be', () => {
  const path = `/${'é'.repeat(7_000)}`;
  const requests = Array.from({ length: 20 }, () => ({ ...REQUEST, head: { method: 'GET', path } }));
  const payloads = writeTold(requests);
  for (const { byteLength } of payloads) assert.ok(byteLength <= MAX_FRAME_BYTES);
  assert.deepEqual(
    payloads.flatMap((payload) => readTold(payload)),
    requests,
  );
});

test('readTold() takes nothing that no gateway writes', () => {
  for (const text of [
    '',
    '{}',
    '[1]',
    '[["GET"]]',
    '[["GET","/",200,"odd",1,null]]',
    '[["GET","/",200,null,1,7]]',
  ])
    assert.equal(readTold(Buffer.from(text)), null, text);
});
