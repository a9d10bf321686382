// Agent and gateway on two hosts of a test network, in network namespaces: the short form of
// `npm run soak -- tunnel-network`.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tryNetwork } from '../soak/network.ts';
import { whyNoHosts } from '../soak/two-hosts.ts';

test(
  'what a cable, an agent or a gateway interrupts comes back by itself, and no visitor is answered wrongly meanwhile (3 Tunnel)',
  { skip: whyNoHosts() ?? false, timeout: 200_000 },
  async (t) => {
    const found = await tryNetwork([2_000]);
    t.diagnostic(JSON.stringify(found));
    const [pulled] = found.cablePulled;
    // Two seconds are within what TCP sends again by itself: nothing breaks.
    assert.deepEqual([pulled?.upload, pulled?.webSocket], ['whole', 'kept']);
  },
);
