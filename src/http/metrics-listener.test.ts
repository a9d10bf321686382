import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import type { Listener } from './listener.ts';
import { type Readiness, startMetricsListener } from './metrics-listener.ts';

let listener: Listener;
let readiness: () => Promise<Readiness>;
let metrics: () => Promise<{ contentType: string; text: string }>;

before(async () => {
  listener = await startMetricsListener({ host: '127.0.0.1', port: 0 }, null, {
    metrics: () => metrics(),
    readiness: () => readiness(),
  });
});

after(() => listener.close(0));

function ask(path: string, method = 'GET'): Promise<Response> {
  return fetch(`http://127.0.0.1:${listener.port}${path}`, { method });
}

test('startMetricsListener() says that the process lives, whatever the rest does (2.5)', async () => {
  readiness = () => Promise.reject(new Error('down'));
  const response = await ask('/healthz?from=probe');
  assert.deepEqual([response.status, await response.text()], [200, 'ok\n']);
});

test('startMetricsListener() says whether it can serve, and if not why (2.5)', async () => {
  readiness = async () => ({ ready: true, checks: { store: 'ok' } });
  assert.equal((await ask('/readyz')).status, 200);
  readiness = async () => ({ ready: false, checks: { store: 'away' } });
  const away = await ask('/readyz');
  assert.equal(away.status, 503);
  assert.deepEqual(await away.json(), { ready: false, checks: { store: 'away' } });
});

test('startMetricsListener() answers 500 without a word of the cause when a check throws', async () => {
  readiness = () => Promise.reject(new Error('password=hunter2'));
  const response = await ask('/readyz');
  assert.equal(response.status, 500);
  assert.doesNotMatch(await response.text(), /hunter2/);
});

test('startMetricsListener() gives the metrics with their content type (2.5)', async () => {
  metrics = async () => ({ contentType: 'text/plain; version=0.0.4; charset=utf-8', text: 'up 1\n' });
  const response = await ask('/metrics');
  assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8');
  assert.equal(await response.text(), 'up 1\n');
});

test('startMetricsListener() answers 404 for other paths and 405 for other methods (2.2)', async () => {
  assert.equal((await ask('/')).status, 404);
  const posted = await ask('/metrics', 'POST');
  assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD']);
});

test('startMetricsListener() throws address_in_use for a taken port (issue, observability)', async () => {
  const at = { host: '127.0.0.1', port: listener.port };
  const source = { metrics: () => metrics(), readiness: () => readiness() };
  await assert.rejects(startMetricsListener(at, null, source), { code: 'address_in_use' });
});
