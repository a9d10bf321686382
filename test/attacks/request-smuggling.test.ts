// THREATS "Header smuggling" on the level of whole requests: nothing that a visitor sends makes the gate and
// the backend disagree about where a request ends, so that nobody can put one before the request of another
// visitor.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, test } from 'node:test';
import { startTestGate, testShare } from '../support/gate.ts';
import { rawBackend } from '../support/raw-backend.ts';
import { HOST, OPEN, watchedGates } from '../support/watched-gates.ts';
import { until } from '../support/until.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const SMUGGLED = `GET /smuggled HTTP/1.1\r\nHost: ${OPEN}\r\n\r\n`;
const gates = watchedGates();
beforeEach(gates.mark);

/**
 * Heads after `POST / HTTP/1.1` and Host, and what follows the empty line. All of them are refused, or lose
 * what is odd.
 */
const HEADS: readonly (readonly [name: string, head: string, body: string])[] = [
  ['CL.TE', 'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n', `0\r\n\r\n${SMUGGLED}`],
  ['TE.CL', 'Transfer-Encoding: chunked\r\nContent-Length: 4\r\n', `0\r\n\r\n${SMUGGLED}`],
  [
    'TE.TE with identity',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n',
    `0\r\n\r\n${SMUGGLED}`,
  ],
  [
    'TE.TE with identity first',
    'Transfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n',
    `0\r\n\r\n${SMUGGLED}`,
  ],
  ['TE: identity', 'Transfer-Encoding: identity\r\nContent-Length: 3\r\n', `abc${SMUGGLED}`],
  [
    'TE with a space before the colon',
    'Transfer-Encoding : chunked\r\nContent-Length: 5\r\n',
    `0\r\n\r\n${SMUGGLED}`,
  ],
  ['TE with a tab before the colon', 'Transfer-Encoding\t: chunked\r\n', `0\r\n\r\n${SMUGGLED}`],
  [
    'TE with a vertical tab',
    'Transfer-Encoding: \x0bchunked\r\nContent-Length: 5\r\n',
    `0\r\n\r\n${SMUGGLED}`,
  ],
  ['TE in quotes', 'Transfer-Encoding: "chunked"\r\n', `0\r\n\r\n${SMUGGLED}`],
  ['TE with a parameter', 'Transfer-Encoding: chunked;q=1\r\n', `0\r\n\r\n${SMUGGLED}`],
  ['TE in a list of nothing', 'Transfer-Encoding: ,chunked\r\n', `0\r\n\r\n${SMUGGLED}`],
  ['TE twice in a list', 'Transfer-Encoding: chunked, chunked\r\n', `0\r\n\r\n${SMUGGLED}`],
  [
    'TE with a byte beyond ASCII',
    'Transfer-Encoding: chunked\xa0\r\nContent-Length: 5\r\n',
    `0\r\n\r\n${SMUGGLED}`,
  ],
  ['TE folded', 'Transfer-Encoding:\r\n chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${SMUGGLED}`],
  ['TE after a bare LF', 'X: a\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${SMUGGLED}`],
  ['TE after a bare CR', 'X: a\rTransfer-Encoding: chunked\r\nContent-Length: 5\r\n', `0\r\n\r\n${SMUGGLED}`],
  ['CL.CL', 'Content-Length: 3\r\nContent-Length: 4\r\n', `abc${SMUGGLED}`],
  ['CL in two cases', 'Content-Length: 3\r\ncontent-length: 300\r\n', `abc${SMUGGLED}`],
  ['CL of two equal lengths', 'Content-Length: 3, 3\r\n', `abc${SMUGGLED}`],
  ['CL negative', 'Content-Length: -1\r\n', SMUGGLED],
  ['CL with a plus', 'Content-Length: +3\r\n', `abc${SMUGGLED}`],
  ['CL in hexadecimal', 'Content-Length: 0x3\r\n', `abc${SMUGGLED}`],
  ['CL with a blank inside', 'Content-Length: 3 4\r\n', `abc${SMUGGLED}`],
  ['CL with a decimal point', 'Content-Length: 3.0\r\n', `abc${SMUGGLED}`],
  ['CL empty', 'Content-Length:\r\n', SMUGGLED],
  ['CL beyond any number', `Content-Length: ${2n ** 64n + 3n}\r\n`, `abc${SMUGGLED}`],
  ['CL just beyond what is counted exactly', 'Content-Length: 9007199254740993\r\n', SMUGGLED],
  ['CL with NUL', 'Content-Length: 3\0\r\n', `abc${SMUGGLED}`],
  ['a header without a name', ': x\r\n', SMUGGLED],
  ['a header without a colon', 'Transfer-Encoding\r\n', SMUGGLED],
  ['a name with a blank', 'X Y: z\r\n', SMUGGLED],
  ['a name with a byte beyond ASCII', 'X\xe9: z\r\n', SMUGGLED],
  ['a first header that is folded', ' X: y\r\n', SMUGGLED],
];

/** What is wrong in a body whose head is `Transfer-Encoding: chunked`. */
const CHUNKS: readonly (readonly [name: string, body: string])[] = [
  ['a bare LF behind a size', '3\nabc\r\n0\r\n\r\n'],
  ['a bare LF behind a chunk', '3\r\nabc\n0\r\n\r\n'],
  ['a bare CR behind a size', '3\rabc\r\n0\r\n\r\n'],
  ['a bare LF in an extension', '3;a\nabc\r\n0\r\n\r\n'],
  ['an extension with a quoted line end', '3;a="\r\n"\r\nabc\r\n0\r\n\r\n'],
  ['a size with 0x', '0x3\r\nabc\r\n0\r\n\r\n'],
  ['a size with a sign', '+3\r\nabc\r\n0\r\n\r\n'],
  ['a negative size', '-3\r\nabc\r\n0\r\n\r\n'],
  ['a size with an underscore', '1_0\r\nabc\r\n0\r\n\r\n'],
  ['a size of 17 digits', 'FFFFFFFFFFFFFFFFF\r\nabc\r\n0\r\n\r\n'],
  ['no size', '\r\nabc\r\n0\r\n\r\n'],
  ['a chunk that is longer than its size', '3\r\nabcdef\r\n0\r\n\r\n'],
  ['a last chunk without its line', '3\r\nabc\r\n0\r\nGET /smuggled HTTP/1.1\r\n\r\n'],
  ['a trailer that is folded', '3\r\nabc\r\n0\r\nX: a\r\n b\r\n\r\n'],
  ['a trailer with a bare LF', '3\r\nabc\r\n0\r\nX: a\nY: b\r\n\r\n'],
  ['a trailer with a blank before the colon', '3\r\nabc\r\n0\r\nX : a\r\n\r\n'],
];

describe('Request smuggling: HTTP/1.1', () => {
  for (const [name, head, body] of HEADS)
    test(name, async () => {
      const answer = await gates.plain().raw(`POST / HTTP/1.1\r\nHost: ${OPEN}\r\n${head}\r\n${body}`, 2_000);
      assert.match(answer, /^HTTP\/1\.1 400 /, answer);
      assert.equal(answers(answer), 1, answer);
      assert.deepEqual(gates.requests(), []);
    });

  for (const [name, body] of CHUNKS)
    test(name, async () => {
      const head = `POST / HTTP/1.1\r\nHost: ${OPEN}\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const answer = await gates.plain().raw(head + body + SMUGGLED, 2_000);
      assert.ok(answers(answer) <= 1, answer);
      assert.doesNotMatch(answer, /^HTTP\/1\.1 200 /);
      assert.ok(
        gates.requests().every((line) => line === 'POST / HTTP/1.1'),
        gates.requests().join(),
      );
      assert.doesNotMatch(gates.received(), /(?:^|\r\n)0\r\n/, 'no backend takes it for whole');
    });

  test('what is odd in chunks that are right is not passed on', async () => {
    const head = `POST / HTTP/1.1\r\nHost: ${OPEN}\r\nTransfer-Encoding: CHUNKED\r\nConnection: close\r\n\r\n`;
    assert.match(await gates.plain().raw(`${head}0003;a=b;c="d"\r\nabc\r\n000\r\n\r\n`), /^HTTP\/1\.1 200 /);
    const sent =
      /\r\nTransfer-Encoding: chunked\r\n(?:Connection: keep-alive\r\n)?\r\n3\r\nabc\r\n0\r\n\r\n(?:\n|$)/;
    // The backend answers a head, and what is behind it may still be on its way.
    await until(() => /abc\r\n.*\r\n\r\n(?:\n|$)/s.test(gates.received()));
    assert.match(gates.received(), sent);
  });

  test('nothing behind a request that is refused is read, though it is well framed', async () => {
    for (const host of [`x@${OPEN}`, `${OPEN}:x`, `${OPEN}/`, `${OPEN}, ${OPEN}`, '']) {
      const answer = await gates
        .plain()
        .raw(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n${SMUGGLED}${SMUGGLED}`, 2_000);
      assert.match(answer, /^HTTP\/1\.1 400 /, host);
      assert.equal(answers(answer), 1, host);
    }
    assert.deepEqual(gates.requests(), []);
  });

  test('nothing behind a request that asks to close is read', async () => {
    const first = `POST / HTTP/1.1\r\nHost: ${OPEN}\r\nConnection: close\r\nContent-Length: 3\r\n\r\nabc`;
    assert.equal(answers(await gates.plain().raw(first + SMUGGLED)), 1);
    assert.deepEqual(gates.requests(), ['POST / HTTP/1.1']);
  });
});

describe('Request smuggling: the body of a request that the gate answers itself is no request (CL.0)', () => {
  const refused: readonly (readonly [name: string, line: string, headers: string])[] = [
    ['an unknown share', 'POST / HTTP/1.1', 'Host: none.share.localhost\r\n'],
    ['no session', 'POST / HTTP/1.1', `Host: ${HOST}\r\n`],
    [
      'a form that is sent to log in',
      'POST / HTTP/1.1',
      `Host: ${HOST}\r\nContent-Type: text/plain\r\nAccept: text/html\r\n`,
    ],
    ['a foreign origin', 'POST / HTTP/1.1', `Host: ${HOST}\r\nOrigin: https://evil.example\r\n`],
    ['a reserved path', 'POST /.svc/x HTTP/1.1', `Host: ${HOST}\r\n`],
    ['a GET with a body', 'GET / HTTP/1.1', `Host: ${HOST}\r\n`],
  ];
  for (const [name, line, headers] of refused)
    for (const expect of ['', 'Expect: 100-continue\r\n'])
      test(`${name}${expect === '' ? '' : ', asked for with 100-continue'}`, async () => {
        const length = `Content-Length: ${SMUGGLED.length}\r\n`;
        const answer = await gates.plain().raw(`${line}\r\n${headers}${length}${expect}\r\n${SMUGGLED}`, 300);
        assert.equal(answers(answer), 1, answer);
        assert.doesNotMatch(answer, /^HTTP\/1\.1 [12]/);
        assert.deepEqual(gates.requests(), []);
      });

  test('a request whose body nobody asked for ends its connection: a proxy could send the next visitor’s there (0.CL)', async () => {
    for (const headers of [
      `Host: ${HOST}\r\nContent-Length: 40\r\n`,
      `Host: ${OPEN}\r\nTransfer-Encoding: chunked\r\n`,
    ]) {
      const socket = connect({ port: gates.plain().port, host: '127.0.0.1' });
      let heard = '';
      socket.on('data', (chunk) => {
        heard += chunk.toString('latin1');
        // As soon as the answer is there, another visitor's request comes on the same connection.
        socket.write(SMUGGLED.replace('/smuggled', '/victim'));
      });
      socket.on('error', () => {});
      socket.write(`POST /early HTTP/1.1\r\n${headers}Expect: 100-continue\r\n\r\n`);
      await once(socket, 'close', { signal: AbortSignal.timeout(PROMPTLY_MS) });
      assert.match(heard, /\r\nconnection: close\r\n/i, heard);
      assert.equal(answers(heard), 1, heard);
    }
    assert.ok(!gates.requests().some((line) => line.includes('/victim')), gates.requests().join());
  });
});

test('Request smuggling: what a backend answers to a smuggled request reaches nobody', async (t) => {
  // A backend that ignores lengths, and so takes the body for a request of its own.
  const backend = await rawBackend((socket, head) => {
    const path = head.split(' ')[1] ?? '';
    socket.write(`HTTP/1.1 200 OK\r\nContent-Length: ${path.length}\r\n\r\n${path}`);
  });
  t.after(backend.close);
  const gate = await startTestGate({ shares: [testShare('open', `http://127.0.0.1:${backend.port}`)] });
  t.after(gate.close);
  for (let round = 0; round < 20; round++) {
    const attack = gate.call({ host: OPEN, method: 'POST', path: '/attack', body: SMUGGLED });
    const victims = Array.from({ length: 5 }, (_, index) =>
      gate.call({ host: OPEN, path: `/victim/${index}` }),
    );
    await attack.catch(() => undefined);
    for (const [index, victim] of (await Promise.all(victims)).entries())
      if (victim.status === 200) assert.equal(victim.body, `/victim/${index}`);
    assert.equal((await gate.call({ host: OPEN, path: '/after' })).body, '/after');
  }
  for (const [index, bytes] of backend.received.entries())
    if (bytes.includes('/smuggled')) assert.ok(backend.sockets[index]?.closed, 'the connection was given up');
});

function answers(text: string): number {
  return text.match(/HTTP\/1\.1 \d{3} /g)?.length ?? 0;
}
