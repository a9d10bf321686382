// Large bodies stream through in flat memory, both ways (issue "The front door", item 3): the short form of
// `npm run soak`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startTransferRig } from '../soak/transfer.ts';

const MIB = 1024 * 1024;
const WARM_UP = 32 * MIB;
const BODY = 192 * MIB;
/** The rest of a body that stalls early is 176 MiB: a gateway that reads ahead holds most of it. */
const GROWTH_MB = 64;

for (const protocol of ['HTTP/1.1', 'HTTP/2'] as const)
  for (const way of ['upload', 'download'] as const)
    test(`${way} of 192 MiB whose receiver stalls comes whole over ${protocol}, in flat memory (DESIGN 3)`, async () => {
      // A process of its own: memory that another body took would hide what this one takes.
      const rig = await startTransferRig();
      try {
        // Pools, compiled code and the first growth of the heap are no leak.
        await rig[way](protocol, WARM_UP);
        const { beforeMb, peakMb } = await rig[way](protocol, BODY);
        assert.ok(peakMb - beforeMb < GROWTH_MB, `grew from ${beforeMb} to ${peakMb} MB`);
      } finally {
        await rig.close();
      }
    });
