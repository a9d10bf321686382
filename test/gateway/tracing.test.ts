// Traces at the gate: which requests are traced, what the backend hears, and that nothing is made without the
// section.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Span } from '../../src/domain/span.ts';
import type { TracingSettings } from '../../src/gateway/messages.ts';
import { echo, echoedValues, startBackend } from '../support/backend.ts';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';

const HOST = 'demo.share.localhost';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = `00-${TRACE}-00f067aa0ba902b7-01`;
const UNSAMPLED = `00-${TRACE}-00f067aa0ba902b7-00`;
const ALL: TracingSettings = { sampleRatio: 1, trustIncoming: 'proxies' };

async function tracedGate(
  t: TestContext,
  tracing: TracingSettings | null,
  trustedProxies: readonly string[] = [],
) {
  const backend = await startBackend(t, echo);
  const share = testShare('demo', backend.url);
  const guarded = testShare('guarded', backend.url, { login: testLogin() });
  const gate = await startTestGate({
    shares: [share, guarded],
    settings: { trustedProxies, ...(tracing !== null && { tracing }) },
  });
  t.after(gate.close);
  const spans = async (): Promise<readonly Span[]> => {
    await gate.close();
    return gate.said.flatMap((message) => (message.type === 'spans' ? message.spans : []));
  };
  return { gate, guarded, spans };
}

test('without tracing the gate passes on what came, and tells of no span', async (t) => {
  const { gate, spans } = await tracedGate(t, null);
  const { body } = await gate.call({ host: HOST, headers: { traceparent: 'as it was', tracestate: 'a=1' } });
  assert.deepEqual(echoedValues(body, 'traceparent'), ['as it was']);
  assert.deepEqual(echoedValues(body, 'tracestate'), ['a=1']);
  assert.deepEqual(await spans(), []);
});

test('a trusted proxy’s trace goes on, with its sampling and its state', async (t) => {
  const { gate, spans } = await tracedGate(t, { ...ALL, sampleRatio: 0 }, ['127.0.0.1']);
  const { body } = await gate.call({ host: HOST, headers: { traceparent: PARENT, tracestate: 'a=1 , b=2' } });
  const [told = ''] = echoedValues(body, 'traceparent');
  assert.match(told, new RegExp(`^00-${TRACE}-[0-9a-f]{16}-01$`));
  assert.notEqual(told, PARENT);
  assert.deepEqual(echoedValues(body, 'tracestate'), ['a=1,b=2']);
  const [server, client] = await spans();
  assert.deepEqual(
    [server?.traceId, server?.parentId, server?.isParentRemote],
    [TRACE, '00f067aa0ba902b7', true],
  );
  assert.deepEqual([client?.spanId, client?.parentId], [told.split('-')[2], server?.spanId]);
});

test('what a trusted proxy does not sample is not traced, and the backend is told so', async (t) => {
  const { gate, spans } = await tracedGate(t, ALL, ['127.0.0.1']);
  const { body } = await gate.call({ host: HOST, headers: { traceparent: UNSAMPLED } });
  assert.match(echoedValues(body, 'traceparent')[0] ?? '', new RegExp(`^00-${TRACE}-[0-9a-f]{16}-00$`));
  assert.deepEqual(await spans(), []);
});

for (const [trustIncoming, proxies, isContinued] of [
  ['proxies', [], false],
  ['proxies', ['127.0.0.1'], true],
  ['all', [], true],
  ['none', ['127.0.0.1'], false],
] as const)
  test(`trust_incoming: ${trustIncoming}, ${proxies.length === 0 ? 'a stranger' : 'a trusted proxy'}: the trace is ${isContinued ? 'continued' : 'another'}`, async (t) => {
    const { gate } = await tracedGate(t, { sampleRatio: 1, trustIncoming }, proxies);
    const { body } = await gate.call({ host: HOST, headers: { traceparent: PARENT, tracestate: 'a=1' } });
    const traceId = echoedValues(body, 'traceparent')[0]?.split('-')[1];
    assert.equal(traceId === TRACE, isContinued);
    assert.equal(echoedValues(body, 'tracestate').length, isContinued ? 1 : 0);
  });

test('a refused request and one sent to log in are single spans that say why', async (t) => {
  const { gate, guarded, spans } = await tracedGate(t, ALL);
  await gate.call({ host: 'guarded.share.localhost' });
  await gate.call({ host: 'guarded.share.localhost', headers: { accept: 'application/json' } });
  await gate.call({ host: 'nobody.share.localhost' });
  const { cookie } = gate.login(guarded, { email: 'ada@example.com' });
  await gate.call({ host: 'guarded.share.localhost', headers: { cookie } });
  const told = (await spans()).map(({ name, kind, attributes }) => [
    name,
    kind,
    attributes['http.response.status_code'],
    attributes['doorward.decision'] ?? null,
    attributes['doorward.ground'] ?? null,
    attributes['doorward.reason'] ?? null,
  ]);
  assert.deepEqual(told, [
    ['GET guarded', 'server', 302, 'login', null, 'login_required'],
    ['GET guarded', 'server', 401, 'login', null, 'login_required'],
    ['GET', 'server', 404, null, null, 'share_unknown'],
    ['GET guarded', 'server', 200, 'forward', 'session', null],
    ['GET', 'client', 200, null, null, null],
  ]);
});
