import { test } from 'node:test';
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { ServiceError } from '../../domain/service-error.ts';
import { assertFree, portsFrom } from './ports.ts';

test('portsFrom() keeps the others at fixed distances (quick start)', () => {
  assert.deepEqual(portsFrom(8080), { gateway: 8080, sample: 8081, provider: 8083, control: 8282 });
  for (const port of [0, -1, 1.5, NaN, 65_535, 65_334])
    assert.throws(() => portsFrom(port), { code: 'usage' }, String(port));
});

test('assertFree() names a taken port, what holds it, and --port (quick start)', async () => {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const address = server.address();
    assert.ok(address !== null && typeof address === 'object');
    const taken = address.port;
    for (const what of ['gateway', 'sample', 'provider', 'control'] as const)
      await assert.rejects(assertFree({ ...UNUSED, [what]: taken }), (error) => {
        assert.ok(error instanceof ServiceError && error.code === 'address_in_use');
        assert.match(error.message, new RegExp(`port ${taken} is taken`));
        if (process.platform === 'linux')
          assert.match(error.message, new RegExp(`\\(process ${process.pid}\\)`));
        assert.match(error.hint ?? '', /--port \d+/);
        return true;
      });
  } finally {
    server.close();
  }
  await assertFree(UNUSED);
});

// 0 is any free port, so these never collide.
const UNUSED = { gateway: 0, sample: 0, provider: 0, control: 0 };
