import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../../../test/support/free-port.ts';
import { startOtlpCollector } from '../../../test/support/otlp-collector.ts';
import { changed, SOUND, soundOf } from '../../../test/support/sound-config.ts';
import { tracingChecks } from './tracing-checks.ts';

test('tracingChecks() sends nothing, with its headers, and tells of a collector that is away or refuses', async (t) => {
  const collector = await startOtlpCollector();
  t.after(collector.close);
  const host = new URL(collector.url).host;
  assert.deepEqual(await checksOf(collector.url), [`collector ok: ${host}/v1/traces takes traces`]);
  assert.deepEqual([...collector.authorizations], ['Bearer collector-key']);
  assert.deepEqual(collector.faults, []);
  assert.deepEqual(await checksOf(`${collector.url}/elsewhere`), [
    `collector warn: ${host}/elsewhere/v1/traces answered 404`,
  ]);
  const port = await freePort();
  assert.deepEqual(await checksOf(`http://127.0.0.1:${port}`), [
    `collector warn: 127.0.0.1:${port}/v1/traces does not answer`,
  ]);
});

async function checksOf(endpoint: string): Promise<readonly string[]> {
  const headers = ['authorization: Bearer collector-key'];
  const { tracing } = soundOf(changed(SOUND, 'tracing', { otlp_endpoint: endpoint, headers }));
  assert.ok(tracing);
  const checks = await tracingChecks(tracing);
  assert.ok(!JSON.stringify(checks).includes('collector-key'));
  return checks.map(({ name, state, found }) => `${name} ${state}: ${found}`);
}
