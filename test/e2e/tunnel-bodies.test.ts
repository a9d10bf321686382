// Large bodies and many slow streams through a tunnel: the short form of
// `npm run soak -- tunnel-bodies tunnel-streams`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_LENT } from '../../src/tunnel/limits.ts';
import { measureSlowStreams } from '../soak/slow-streams.ts';
import { startTransferRig } from '../soak/transfer.ts';

const MIB = 1024 * 1024;
const WARM_UP = 32 * MIB;
const BODY = 192 * MIB;
/** The rest of a body that stalls early is 176 MiB: an end that reads ahead holds most of it. */
const GROWTH_MB = 64;

for (const [way, protocol] of [
  ['upload', 'HTTP/1.1'],
  ['download', 'HTTP/2'],
] as const)
  test(`${way} of 192 MiB whose receiver stalls comes whole through a tunnel, in flat memory at both ends (3 Tunnel)`, async () => {
    const rig = await startTransferRig('tunnel');
    try {
      await rig[way](protocol, WARM_UP);
      const { beforeMb, peakMb, agent } = await rig[way](protocol, BODY);
      assert.ok(peakMb - beforeMb < GROWTH_MB, `the gateway grew from ${beforeMb} to ${peakMb} MB`);
      assert.ok(agent !== null);
      const { beforeMb: agentMb, peakMb: agentPeakMb } = agent;
      assert.ok(agentPeakMb - agentMb < GROWTH_MB, `the agent grew from ${agentMb} to ${agentPeakMb} MB`);
    } finally {
      await rig.close();
    }
  });

test('an agent that lent all but one connection to slow streams answers a fast one meanwhile (3 Tunnel)', async () => {
  const { slow } = await measureSlowStreams(20);
  assert.equal(slow, MAX_LENT - 1);
});
