// Certificates: the policy is chosen by the server name, so whoever hides or doubles that name must not come
// to a weaker one: a ClientHello in pieces of any size, names in any case, no name, names for other hosts
// (Traefik CVE-2026-32305).

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { connect as connectHttp2 } from 'node:http2';
import { test, type TestContext } from 'node:test';
import { callTls, startMutualTlsGate } from '../support/mutual-tls.ts';

const STRICT = 'strict.share.localhost';
const OPEN = 'open.share.localhost';

test('a ClientHello that is cut into records of any size chooses the same policy (CVE-2026-32305)', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  const pair = authority.leaf();
  // 5: the name is in many pieces. Fewer bytes a record make more records than anybody needs, which is
  // refused.
  for (const size of [5, 16, 100, 1_000])
    for (const packets of ['together', 'apart'] as const) {
      const port = await startCutter(t, { to: gate.port, size, packets });
      const what = `${size} ${packets}`;
      // Small hellos, so that the pieces are not too many.
      const tls = {
        ecdhCurve: 'P-256',
        ciphers: 'TLS_AES_128_GCM_SHA256',
        sigalgs: 'ecdsa_secp256r1_sha256',
      };
      assert.equal((await callTls(port, { host: STRICT, tls })).code, 'certificate_required', what);
      assert.equal((await callTls(port, { host: STRICT, tls, pair })).status, 200, what);
      assert.equal((await callTls(port, { host: OPEN, tls })).status, 200, what);
      const hidden = await callTls(port, { host: STRICT, servername: OPEN, tls, pair });
      assert.equal(hidden.status, 421, what);
    }
});

test('a ClientHello of more records than anybody needs is refused, not read as one without a name', async (t) => {
  const { gate } = await startMutualTlsGate(t);
  const port = await startCutter(t, { to: gate.port, size: 1, packets: 'together' });
  await assert.rejects(callTls(port, { host: STRICT }), { code: 'ECONNRESET' });
});

test('a server name in another case chooses the same policy (CVE-2026-32305)', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  for (const servername of ['STRICT.share.localhost', 'StRiCt.ShArE.lOcAlHoSt', `${STRICT}.`]) {
    const call = { host: STRICT, servername };
    assert.equal((await callTls(gate.port, call)).code, 'certificate_required', servername);
    assert.equal((await callTls(gate.port, { ...call, pair: authority.leaf() })).status, 200, servername);
  }
  const host = 'STRICT.Share.localhost';
  assert.equal((await callTls(gate.port, { host, servername: OPEN })).status, 421);
  assert.equal((await callTls(gate.port, { host: `${STRICT}.`, servername: OPEN })).status, 421);
});

test('no server name, or that of nobody, is asked for nothing, and gets to nothing that asks', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  const pair = authority.leaf();
  for (const servername of [null, 'nobody.share.localhost', 'localhost', 'auth.share.localhost']) {
    assert.equal((await callTls(gate.port, { host: STRICT, servername, pair })).status, 421);
    assert.equal((await callTls(gate.port, { host: OPEN, servername, pair })).status, 200);
  }
});

test('streams for several hosts on one HTTP/2 connection each get what their host asks for (coalesced connections)', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  const { certificate: cert, key } = authority.leaf();
  const rows = [
    {
      servername: STRICT,
      expected: { [STRICT]: 200, 'second.share.localhost': 200, [OPEN]: 421, 'other.share.localhost': 421 },
    },
    { servername: OPEN, expected: { [STRICT]: 421, [OPEN]: 200, 'other.share.localhost': 421 } },
  ];
  for (const { servername, expected } of rows) {
    const session = connectHttp2(`https://127.0.0.1:${gate.port}`, {
      servername,
      cert,
      key,
      rejectUnauthorized: false,
    });
    t.after(() => session.destroy());
    const statuses = await Promise.all(
      Object.keys(expected).map(async (host) => {
        const stream = session.request({ ':authority': host }).resume();
        const [head] = (await once(stream, 'response')) as [Record<string, unknown>];
        return [host, head[':status']] as const;
      }),
    );
    assert.deepEqual(Object.fromEntries(statuses), expected);
  }
});

test('whoever sends no hello, or one that does not end, is cut off, and holds up nobody', async (t) => {
  const { gate } = await startMutualTlsGate(t);
  // As the begin of a hello of 512 bytes.
  const begin = Buffer.from('1603010200010001fc0303', 'hex');
  const slow = Array.from({ length: 20 }, (_, index) => {
    const socket = connect(gate.port, '127.0.0.1');
    let at = index % 2 === 0 ? 0 : begin.byteLength;
    socket.write(begin.subarray(0, at));
    // A byte at a time, or nothing more.
    const drip = setInterval(() => {
      if (index % 2 === 0) socket.write(Buffer.of(begin[at++] ?? 0));
    }, 200);
    t.after(() => socket.destroy());
    return closed(socket).finally(() => clearInterval(drip));
  });
  assert.equal((await callTls(gate.port, { host: OPEN })).status, 200);
  // What is no hello is cut off at once: another protocol, more than one can be, two names.
  for (const bytes of [
    'GET / HTTP/1.1\r\n\r\n',
    Buffer.from('160301400001004001', 'hex'),
    Buffer.alloc(20_000, 22),
  ]) {
    const socket = connect(gate.port, '127.0.0.1');
    const ended = closed(socket);
    socket.write(bytes);
    await ended;
  }
  await Promise.all(slow);
});

/**
 * By whatever way the gate cuts it: a socket whose bytes nobody read ends by a reset, which `once()` would
 * throw.
 */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    socket.on('error', () => {}).on('close', () => resolve());
  });
}

type Cut = {
  readonly to: number;
  /** Of each record, in bytes. */
  readonly size: number;
  /** Records all in one packet, or each in its own. */
  readonly packets: 'together' | 'apart';
};

/** Stands between a client and the gate, and cuts the client's first message into records of another size. */
async function startCutter(t: TestContext, cut: Cut): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const gate = connect(cut.to, '127.0.0.1').setNoDelay(true);
    for (const socket of [client, gate]) sockets.add(socket.on('error', () => {}));
    client.on('close', () => gate.destroy());
    gate.on('close', () => client.destroy());
    client.once('data', (hello: Buffer) => {
      void send(gate, recordsOf(hello, cut.size), cut.packets).then(() => client.pipe(gate));
    });
    gate.pipe(client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

async function send(to: Socket, records: readonly Buffer[], packets: Cut['packets']): Promise<void> {
  if (packets === 'together') {
    to.write(Buffer.concat(records));
    return;
  }
  for (const record of records) {
    to.write(record);
    const { promise, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    await promise;
  }
}

/** RFC 8446 section 5.1. The first packet of a client is one record, its ClientHello. */
function recordsOf(packet: Buffer, size: number): readonly Buffer[] {
  const message = packet.subarray(5, 5 + packet.readUInt16BE(3));
  assert.equal(packet.byteLength, 5 + message.byteLength);
  const records: Buffer[] = [];
  for (let at = 0; at < message.byteLength; at += size) {
    const piece = message.subarray(at, at + size);
    records.push(
      Buffer.concat([packet.subarray(0, 3), Buffer.of(piece.byteLength >> 8, piece.byteLength & 255), piece]),
    );
  }
  return records;
}
