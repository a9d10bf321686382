// Traces of a real service: a login and a request from the gate to the backend, as a collector gets them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { type Echo, startEchoBackend } from '../support/echo-backend.ts';
import { freePort } from '../support/free-port.ts';
import { startOtlpCollector } from '../support/otlp-collector.ts';
import { changeConfig, eventually, logOf } from '../support/serve-process.ts';
import { layOutService } from '../support/service-process.ts';

test('a login and what follows are traced: gate, OAuth frontend, provider, backend; nothing secret is told', async (t) => {
  const collector = await startOtlpCollector();
  t.after(collector.close);
  const metricsPort = await freePort();
  const service = await layOutService({ metricsPort });
  t.after(() => service.close());
  changeConfig(service, (config) => {
    const headers = ['authorization: Bearer collector-key'];
    config['tracing'] = { otlp_endpoint: collector.url, headers, service_name: 'front' };
  });
  // What an environment inherits neither moves nor renames traces.
  Object.assign(process.env, ELSEWHERE);
  t.after(() => Object.keys(ELSEWHERE).forEach((name) => delete process.env[name]));
  await service.start();
  const backend = await startEchoBackend();
  t.after(backend.close);
  await service.client.shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
  const browser = createBrowser();
  const url = `${service.urlOf('demo')}/private/path?token=secret-in-query`;
  const { last } = await walkLogin(browser, url, { email: 'ada@example.com' });
  assert.equal(last.status, 200);
  const { headers } = JSON.parse(last.body) as Echo;
  const [, traceId, callId] =
    /^00-([0-9a-f]{32})-([0-9a-f]{16})-01$/.exec(String(headers['traceparent'])) ?? [];
  assert.ok(traceId !== undefined);
  const find = (what: string, is: (span: (typeof collector.spans)[number]) => boolean) =>
    eventually(what, () => collector.spans.find(is));
  const call = await find('the call to the backend', (span) => span.spanId === callId);
  const gate = await find('the request at the gate', ({ spanId }) => spanId === call.parentId);
  assert.deepEqual(
    [call.traceId, gate.traceId, gate.parentId, gate.service],
    [traceId, traceId, null, 'front'],
  );
  assert.equal(gate.name, 'GET demo');
  const { 'doorward.request_id': requestId, ...attributes } = gate.attributes;
  assert.ok(requestId !== undefined);
  assert.deepEqual(attributes, {
    'http.request.method': 'GET',
    'http.response.status_code': 200,
    'http.route': 'demo',
    'doorward.decision': 'forward',
    'doorward.ground': 'session',
  });
  // Through the gateway to the OAuth frontend, and from there to the provider, in one trace.
  const callback = await find('the callback', ({ name }) => name === 'GET login: auth/callback');
  const exchange = await find(
    'a call to the provider',
    ({ kind, parentId }) => kind === 3 && parentId === callback.spanId,
  );
  assert.equal(exchange.traceId, callback.traceId);
  const passed = await find('the request inside', ({ spanId }) => spanId === callback.parentId);
  assert.equal(passed.kind, 3);
  await find('an operation of the API', ({ name }) => name === 'POST /v1/shares');
  assert.deepEqual(collector.faults, []);
  assert.deepEqual([...collector.authorizations], ['Bearer collector-key']);
  const said = JSON.stringify(collector.spans);
  for (const secret of ['secret-in-query', 'private/path', 'ada@', 'collector-key', 'code=', 'state=', 'eyJ'])
    assert.ok(!said.includes(secret), secret);
  const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
  assert.match(metrics, /^doorward_tracing_spans_total\{result="exported"\} [1-9]/m);
  assert.ok(!logOf(service).some((line) => JSON.stringify(line).includes('collector-key')));
});

test('a collector that is away costs no request anything: spans are dropped, counted, and told once', async (t) => {
  const port = await freePort();
  const metricsPort = await freePort();
  const service = await layOutService({ metricsPort });
  t.after(() => service.close());
  changeConfig(service, (config) => {
    config['tracing'] = { otlp_endpoint: `http://127.0.0.1:${port}` };
  });
  await service.start();
  const backend = await startEchoBackend();
  t.after(backend.close);
  await service.client.shares.create({ name: 'demo', target: backend.url, open: true });
  const browser = createBrowser();
  for (let round = 0; round < 20; round++)
    assert.equal((await browser.open(service.urlOf('demo'))).status, 200);
  await eventually('spans are dropped', async () => {
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    return /^doorward_tracing_spans_total\{result="dropped"\} [1-9]/m.test(metrics);
  });
  const warned = logOf(service).filter(({ msg }) => msg.startsWith('Cannot send traces'));
  assert.equal(warned.length, 1);
  assert.equal((await browser.open(service.urlOf('demo'))).status, 200);
  assert.equal(await service.stop(), 0);
});

const ELSEWHERE = {
  OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9',
  OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer of-the-environment',
  OTEL_SERVICE_NAME: 'elsewhere',
};
