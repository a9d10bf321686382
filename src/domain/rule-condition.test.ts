import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { REQUEST } from '../../test/support/rule-facts.ts';
import { compileConditions } from './rule-condition.ts';

test('many rules about networks and many addresses take no more memory (THREATS "Exhaustion")', () => {
  const lists = Array.from({ length: 1_000 }, () =>
    compileConditions({ effect: 'deny', conditions: { addresses: ['10.0.0.0/8'] } }, new Map()),
  );
  const judgeFrom = (block: number) => {
    for (let last = 0; last < 400; last++)
      for (const [condition] of lists)
        assert.equal(
          condition?.judge({ kind: 'nobody' }, { ...REQUEST, address: `2001:db8:${block}::${last}` }),
          'failed',
        );
  };
  const before = heapUsed();
  judgeFrom(1);
  const grown = heapUsed() - before;
  assert.ok(grown < 8 * 1024 * 1024, `${grown} bytes for ${lists.length} lists`);
});

function heapUsed(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}
