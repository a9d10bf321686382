// Real connections to a server of Node's own; what a gate does with pipelines is in
// test/attacks/pipelining.test.ts.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { lastInTurn, requestInTurn } from './one-at-a-time.ts';

test('lastInTurn() ends nothing for a head whose rest waits behind a slow answer (RFC 9112 section 9.3.2)', async (t) => {
  const { socket, answers, late, release } = await pipelined(t);
  // Fed in pieces of 1,024: one ends within a head, and the time for that head runs out.
  socket.write(get('/slow') + Array.from({ length: 60 }, (_, index) => get(`/${index}`)).join(''));
  await late;
  release();
  assert.deepEqual(await answers(61), ['/slow', ...Array.from({ length: 60 }, (_, index) => `/${index}`)]);
});

test('lastInTurn() ends a connection whose late head never comes whole', { timeout: 30_000 }, async (t) => {
  const { socket, answers, late, release } = await pipelined(t);
  socket.write(`${get('/slow')}${get('/next').repeat(60)}GET /cut HTTP/1.1\r\nHo`);
  await late;
  const closed = once(socket, 'close');
  release();
  await answers(61);
  await closed;
});

test(
  'lastInTurn() ends a connection whose late head goes on byte by byte, once nothing is ahead of it',
  { timeout: 30_000 },
  async (t) => {
    const { socket, answers, late, release } = await pipelined(t);
    socket.write(`${get('/slow')}GET /drip HTTP/1.1\r\nHost: here\r\nX: `);
    socket.write('x'.repeat(2_000));
    await late;
    const drip = setInterval(() => socket.write('x'), 20);
    t.after(() => clearInterval(drip));
    const closed = new Promise<void>((resolve) => {
      socket.on('error', () => {}).on('close', () => resolve());
    });
    release();
    await answers(1);
    await closed;
  },
);

test('lastInTurn() lets a connection go on whose late head came after all', async (t) => {
  const { socket, answers, late, release } = await pipelined(t);
  socket.write(`${get('/slow')}GET /late HTTP/1.1\r\nHost: here\r\nX: `);
  socket.write('x'.repeat(2_000));
  await late;
  release();
  socket.write('\r\n\r\n');
  assert.deepEqual(await answers(2), ['/slow', '/late']);
  // Longer than a head may take, with nothing on its way.
  await new Promise((resolve) => setTimeout(resolve, 500));
  socket.write(get('/again'));
  assert.deepEqual(await answers(1), ['/again']);
});

function get(path: string): string {
  return `GET ${path} HTTP/1.1\r\nHost: here\r\n\r\n`;
}

/**
 * A connection that has pipelined before, to a server that says each path in brackets: `/slow` when it is
 * released.
 */
async function pipelined(t: TestContext) {
  const late = Promise.withResolvers<void>();
  let slow: ServerResponse | null = null;
  const server = createServer(
    {
      headersTimeout: 200,
      connectionsCheckingInterval: 50,
      keepAliveTimeout: 0,
      optimizeEmptyRequests: true,
    },
    (request, response) =>
      requestInTurn(request, response, () => {
        if (request.url === '/slow') slow = response;
        else response.end(`[${request.url}]`);
      }),
  );
  server.on('clientError', (error, socket) => {
    lastInTurn(socket, () => socket.destroy(), error);
    late.resolve();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  t.after(() => socket.destroy());
  let text = '';
  socket.on('data', (chunk) => (text += String(chunk)));
  const answers = async (count: number): Promise<readonly string[]> => {
    const said = () => Array.from(text.matchAll(/\[([^\]]*)\]/g), ([, path = '']) => path);
    while (said().length < count) await Promise.race([once(socket, 'data'), closing(socket)]);
    const all = said();
    text = '';
    return all;
  };
  socket.write(get('/a') + get('/b'));
  await answers(2);
  return { socket, answers, late: late.promise, release: () => slow?.end('[/slow]') };
}

async function closing(socket: ReturnType<typeof connect>): Promise<never> {
  await once(socket, 'close');
  throw new Error('the connection was closed');
}
