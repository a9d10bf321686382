// Trace headers of strangers: they choose no trace and no sampling, reach no backend malformed, and nothing
// that a visitor typed is told to the collector.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import type { Span } from '../../src/domain/span.ts';
import { echo, echoedValues, startBackend } from '../support/backend.ts';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';

const HOST = 'demo.share.localhost';
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const SAMPLED = `00-${TRACE}-00f067aa0ba902b7-01`;
const WELL_FORMED = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-0[01]$/;

async function gateWith(t: TestContext, sampleRatio: number, trustIncoming: 'proxies' | 'all') {
  const backend = await startBackend(t, echo);
  const share = testShare('demo', backend.url, { login: testLogin() });
  const open = testShare('open', backend.url);
  const gate = await startTestGate({
    shares: [share, open],
    settings: { trustedProxies: [], tracing: { sampleRatio, trustIncoming } },
  });
  t.after(gate.close);
  const spans = async (): Promise<readonly Span[]> => {
    await gate.close();
    return gate.said.flatMap((message) => (message.type === 'spans' ? message.spans : []));
  };
  return { gate, share, spans };
}

test('a stranger’s traceparent makes no request traced, however many send it', async (t) => {
  const { gate, spans } = await gateWith(t, 0, 'proxies');
  for (let round = 0; round < 20; round++) {
    const { body } = await gate.call({ host: 'open.share.localhost', headers: { traceparent: SAMPLED } });
    const [told = ''] = echoedValues(body, 'traceparent');
    assert.match(told, /-00$/);
    assert.ok(!told.includes(TRACE));
  }
  assert.deepEqual(await spans(), []);
});

const FLOODS: readonly (readonly [string, Readonly<Record<string, string | readonly string[]>>])[] = [
  ['two parents', { traceparent: [SAMPLED, `00-${TRACE}-1111111111111111-01`] }],
  ['forty parents', { traceparent: Array.from({ length: 40 }, () => SAMPLED) }],
  ['a parent that is no parent', { traceparent: `${SAMPLED}-x` }],
  ['a parent of zeros', { traceparent: `00-${'0'.repeat(32)}-${'0'.repeat(16)}-01` }],
  ['a parent in capitals, and a proxy’s spelling', { TraceParent: SAMPLED.toUpperCase() }],
  ['eight kilobytes of a parent', { traceparent: SAMPLED + 'a'.repeat(8_000) }],
  ['a state without a parent', { tracestate: 'a=1' }],
  [
    'too many members of a state',
    { traceparent: SAMPLED, tracestate: Array.from({ length: 60 }, (_, i) => `k${i}=v`) },
  ],
  ['a state with what is no member', { traceparent: SAMPLED, tracestate: 'a=1,b' }],
];
for (const [what, headers] of FLOODS)
  test(`${what}: the backend hears one well-formed parent, and no state that is not`, async (t) => {
    const { gate } = await gateWith(t, 1, 'all');
    const { status, body } = await gate.call({ host: 'open.share.localhost', headers });
    assert.equal(status, 200);
    const parents = echoedValues(body, 'traceparent');
    assert.equal(parents.length, 1);
    assert.match(parents[0] ?? '', WELL_FORMED);
    assert.deepEqual(echoedValues(body, 'tracestate'), []);
  });

test('path, query, cookies, tokens, addresses and made-up methods are in no span', async (t) => {
  const { gate, share, spans } = await gateWith(t, 1, 'all');
  const { cookie } = gate.login(share, { email: 'ada@example.com' });
  await gate.call({
    host: HOST,
    method: 'PROPFIND',
    path: '/hidden/path?access_token=query-secret',
    headers: {
      cookie: `${cookie}; other=cookie-secret`,
      authorization: 'Bearer bearer-secret',
      'user-agent': 'agent-secret',
      'x-request-id': 'request-id-secret',
      referer: 'https://demo.share.localhost/referer-secret',
      tracestate: 'vendor=state-secret',
      traceparent: SAMPLED,
    },
  });
  await gate.call({ host: 'secret-host.share.localhost', path: '/hidden' });
  const all = await spans();
  assert.ok(all.length >= 3);
  const told = JSON.stringify(all);
  assert.ok(told.includes('_OTHER'));
  for (const secret of ['secret', 'hidden', 'ada', 'PROPFIND', '127.0.0.1', cookie.slice(-40)])
    assert.ok(!told.includes(secret), secret);
  const known = new Set(all.flatMap(({ attributes }) => Object.keys(attributes)));
  assert.deepEqual([...known].toSorted(), [
    'doorward.decision',
    'doorward.ground',
    'doorward.reason',
    'doorward.request_id',
    'http.request.method',
    'http.response.status_code',
    'http.route',
  ]);
});
