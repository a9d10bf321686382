import assert from 'node:assert/strict';
import { test } from 'node:test';
import { guard, offersWebSocket } from './guard.ts';
import { readHead } from './head-facts.ts';
import { createHostReader } from './host-reader.ts';
import { noEvents, type Exchange } from './inbound.ts';

const hostOf = createHostReader();

type Asked = Partial<
  Pick<Exchange, 'protocol' | 'method' | 'target' | 'authority' | 'upgrade' | 'endsWithHead'>
>;

/** Guard reads the head of an exchange and nothing else of it. */
function judged(asked: Asked, rawHeaders: readonly string[]) {
  const head = {
    protocol: 'HTTP/1.1',
    method: 'GET',
    target: '/',
    authority: null,
    upgrade: null,
    endsWithHead: false,
    remoteAddress: '192.0.2.1',
    expectsContinue: false,
    events: noEvents(),
    rawHeaders,
    ...asked,
  } as const;
  return guard(head as unknown as Exchange, readHead(rawHeaders), hostOf);
}

test('guard() says what a clear request is: host, target, body (DESIGN "Ambiguous HTTP")', () => {
  assert.deepEqual(judged({ target: '/a//b?c' }, ['Host', 'Demo.Example.com.:8443']), {
    host: 'demo.example.com',
    authority: 'Demo.Example.com.:8443',
    target: '/a//b?c',
    body: 'none',
    webSocket: false,
  });
  assert.equal(judged({ target: 'http://demo.example.com?x' }, ['Host', 'demo.example.com']).target, '/?x');
  assert.deepEqual(judged({ method: 'POST' }, ['Host', 'a', 'Content-Length', '0']).body, { length: 0 });
  assert.equal(judged({ method: 'POST' }, ['Host', 'a', 'Transfer-Encoding', 'Chunked']).body, 'chunked');
  assert.equal(judged({ protocol: 'HTTP/2', authority: 'a' }, []).body, 'chunked');
  assert.equal(judged({ protocol: 'HTTP/2', authority: 'a', endsWithHead: true }, []).body, 'none');
  assert.equal(judged({ protocol: 'HTTP/2' }, ['host', 'a']).host, 'a');
  assert.equal(judged({ method: 'OPTIONS', target: '*' }, ['Host', 'a']).target, '*');
});

test('guard() refuses what two readers could take apart differently (DESIGN "Ambiguous HTTP")', () => {
  const rows: readonly (readonly [Asked, readonly string[]])[] = [
    [{}, []],
    [{}, ['Host', 'a', 'host', 'a']],
    [{}, ['Host', 'u@a']],
    [{}, ['Host', 'a b']],
    [{}, ['Host', 'a', 'Content-Length', '1', 'Transfer-Encoding', 'chunked']],
    [{}, ['Host', 'a', 'Content-Length', '1', 'Content-Length', '1']],
    [{}, ['Host', 'a', 'Content-Length', '0x1']],
    [{}, ['Host', 'a', 'Content-Length', '99999999999999999999']],
    [{}, ['Host', 'a', 'Transfer-Encoding', 'gzip']],
    [{ protocol: 'HTTP/1.0' }, ['Host', 'a', 'Transfer-Encoding', 'chunked']],
    [{ protocol: 'unknown' }, ['Host', 'a']],
    [{ target: '/a#b' }, ['Host', 'a']],
    [{ target: '/a b' }, ['Host', 'a']],
    [{ target: '/\u00e9' }, ['Host', 'a']],
    [{ target: '*' }, ['Host', 'a']],
    [{ target: 'http://b/' }, ['Host', 'a']],
    [{ target: 'http://a@b/' }, ['Host', 'b']],
    [{ protocol: 'HTTP/2', authority: 'a' }, ['host', 'b']],
    [{ protocol: 'HTTP/2', authority: 'a', target: 'http://a/' }, []],
    [{ protocol: 'HTTP/2', authority: 'a', method: 'CONNECT', upgrade: 'connect-udp' }, []],
    [{ method: 'POST' }, ['Host', 'a', 'Upgrade', 'websocket', 'Connection', 'Upgrade']],
    [{}, ['Host', 'a', 'Upgrade', 'websocket', 'Connection', 'Upgrade', 'Content-Length', '1']],
    [{ protocol: 'HTTP/1.0' }, ['Host', 'a', 'Upgrade', 'websocket', 'Connection', 'Upgrade']],
  ];
  for (const [asked, headers] of rows)
    assert.throws(() => judged(asked, headers), { code: 'bad_request' }, JSON.stringify([asked, headers]));
  assert.throws(() => judged({ method: 'CONNECT', target: '/' }, ['Host', 'a']), {
    code: 'method_not_allowed',
  });
});

test('guard() bounds the headers (DESIGN 3)', () => {
  const many = Array.from({ length: 100 }, (_, index) => [`x-${index}`, 'y']).flat();
  assert.throws(() => judged({}, ['Host', 'a', ...many]), { code: 'headers_too_large' });
  assert.throws(() => judged({}, ['Host', 'a', 'x', 'y'.repeat(40_000)]), { code: 'headers_too_large' });
  assert.equal(judged({}, ['Host', 'a', ...many.slice(2)]).host, 'a');
});

test('guard() takes the cookies that HTTP/2 carries one by one for one header (RFC 9113 8.2.3)', () => {
  const crumbs = Array.from({ length: 180 }, (_, index) => ['cookie', `c${index}=1`]).flat();
  const others = Array.from({ length: 98 }, (_, index) => [`x-${index}`, 'y']).flat();
  const asked = { protocol: 'HTTP/2', authority: 'a' } as const;
  assert.equal(judged(asked, [...crumbs, ...others, 'x', 'y']).host, 'a');
  assert.throws(() => judged(asked, [...crumbs, ...others, 'x', 'y', 'z', 'y']), {
    code: 'headers_too_large',
  });
});

test('offersWebSocket() wants the protocol and the nomination (RFC 9110 7.8)', () => {
  assert.ok(offersWebSocket('WebSocket', 'keep-alive, Upgrade'));
  for (const [upgrade, connection] of [
    ['h2c', 'Upgrade'],
    ['websocket', 'keep-alive'],
    ['websocket', 'not-upgrade'],
    ['websocket, h2c', 'Upgrade'],
    [null, 'Upgrade'],
    ['websocket', null],
  ] as const)
    assert.ok(!offersWebSocket(upgrade, connection), `${upgrade} ${connection}`);
});
