// A service that is told to stop while it starts: the first of its workers serves already, the others do not.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { layOutService } from '../support/service-process.ts';

test('doorward serve that is told to stop before all workers serve ends with exit code 0 (DESIGN 2.4)', async (t) => {
  const service = await layOutService({ gateway: { workers: 4 } });
  t.after(() => service.close());
  await service.start();
  assert.equal(await service.stop(), 0);
});
