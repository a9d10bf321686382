import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openTestStore } from '../../test/support/store.ts';
import { until } from '../../test/support/until.ts';
import { startMetricsText } from './metrics-text.ts';
import { createServiceMetrics } from './service-metrics.ts';
import { measureOffset, startStoreWatch } from './store-watch.ts';

test('startStoreWatch() tells once when clocks differ by more than 2 s or nothing is written, once when that is over, and in metrics', async () => {
  const facts = { offsetMs: 1_900, trouble: null as 'disk_full' | null, looks: 0 };
  const lines: string[] = [];
  const note = (level: string) => (_fields: object, message: string) =>
    void lines.push(`${level} ${message}`);
  const log = { debug: note('debug'), info: note('info'), warn: note('warn'), error: note('error') };
  const store = {
    clock: async () => Date.now() + facts.offsetMs,
    writeTrouble: () => facts.trouble,
    deliveries: { backlog: async () => ({ waiting: 3, overdue: 1 }) },
  };
  const metrics = createServiceMetrics(() => []);
  const toText = await startMetricsText();
  const text = async () => (await toText([metrics.collect()])).text;
  const stop = await startStoreWatch({
    store,
    log,
    now: Date.now,
    everyMs: 5,
    onSeen: (seen) => {
      facts.looks++;
      metrics.seeStore(seen);
    },
  });
  const lookTwice = async () => {
    const before = facts.looks;
    await until(() => facts.looks >= before + 3);
  };
  await lookTwice();
  assert.deepEqual(lines, []);
  assert.match(await text(), /^doorward_store_writable 1$/m);
  Object.assign(facts, { offsetMs: -2_500, trouble: 'disk_full' });
  await lookTwice();
  assert.match(lines[0] ?? '', /^warn The clocks of this machine and the database differ by more than 2 s/);
  assert.match(lines[1] ?? '', /^error The disk of the database is full/);
  const shown = await text();
  assert.match(shown, /^doorward_store_clock_offset_seconds -2\.[45]\d*$/m);
  assert.match(shown, /^doorward_store_writable 0$/m);
  assert.match(shown, /^doorward_webhook_deliveries\{state="overdue"\} 1$/m);
  Object.assign(facts, { offsetMs: 0, trouble: null });
  await lookTwice();
  assert.deepEqual(lines.slice(2), [
    'info The clocks of this machine and the database agree again',
    'info The database accepts writes again',
  ]);
  stop();
});

test('measureOffset() is the store’s clock less ours, and unknown for one that does not answer', async () => {
  await using store = await openTestStore(() => Date.now() + 7_000);
  const offsetMs = (await measureOffset(store, Date.now)) ?? 0;
  assert.ok(Math.abs(offsetMs - 7_000) < 3_000, `${offsetMs}`);
  const away = { clock: () => Promise.reject(new Error('away')) };
  assert.equal(await measureOffset(away, Date.now), null);
});
