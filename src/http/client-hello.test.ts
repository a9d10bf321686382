import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { before, test } from 'node:test';
import { connect } from 'node:tls';
import * as fc from 'fast-check';
import { readClientHello } from './client-hello.ts';

/** What a client sends first, as it was caught on the wire. */
async function caught(start: (port: number) => () => void): Promise<Buffer> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const stop = start((server.address() as AddressInfo).port);
  const [socket] = (await once(server, 'connection')) as [Socket];
  let bytes: Buffer = Buffer.alloc(0);
  socket.on('error', () => {});
  while (readClientHello(bytes).kind === 'more') {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    bytes = Buffer.concat([bytes, chunk]);
  }
  socket.destroy();
  stop();
  server.close();
  return bytes;
}

function ofNode(servername: string): Promise<Buffer> {
  return caught((port) => {
    const socket = connect({ port, host: '127.0.0.1', servername }).on('error', () => {});
    return () => socket.destroy();
  });
}

function ofOpenssl(...args: readonly string[]): Promise<Buffer> {
  return caught((port) => {
    const child = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, ...args], {
      stdio: 'ignore',
    });
    return () => child.kill();
  });
}

let node: Buffer = Buffer.alloc(0);
before(async () => {
  node = await ofNode('app.share.example.com');
});

test('readClientHello() finds the name of real clients, in TLS 1.2 and 1.3, and whether there is none (DESIGN "Mutual TLS")', async () => {
  assert.deepEqual(readClientHello(node), {
    kind: 'hello',
    serverName: 'app.share.example.com',
    protocols: [],
  });
  const mixed = await ofOpenssl('-servername', 'App.SHARE.example.Com');
  assert.deepEqual(readClientHello(mixed), {
    kind: 'hello',
    serverName: 'app.share.example.com',
    protocols: [],
  });
  const old = await ofOpenssl('-tls1_2', '-servername', 'app.example');
  assert.deepEqual(readClientHello(old), { kind: 'hello', serverName: 'app.example', protocols: [] });
  for (const version of ['-tls1_2', '-tls1_3'])
    assert.deepEqual(readClientHello(await ofOpenssl(version, '-noservername')), {
      kind: 'hello',
      serverName: null,
      protocols: [],
    });
});

test('readClientHello() reads one that is cut into records anywhere (Traefik CVE-2026-32305)', () => {
  const content = node.subarray(5);
  const { length } = content;
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 1, max: length - 1 }), { maxLength: 40 }), (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), length];
      const records = edges.slice(1).map((end, index) => record(content.subarray(edges[index], end)));
      assert.deepEqual(readClientHello(Buffer.concat(records)), readClientHello(node));
    }),
  );
  const first = Array.from(content.subarray(0, 100), (byte) => record(Buffer.of(byte)));
  assert.deepEqual(
    readClientHello(Buffer.concat([...first, record(content.subarray(100))])),
    readClientHello(node),
  );
  const endless = Array.from(content, (byte) => record(Buffer.of(byte)));
  assert.equal(readClientHello(Buffer.concat(endless)).kind, 'refused');
});

test('readClientHello() asks for more until it is whole', () => {
  for (let length = 0; length < node.length; length++)
    assert.equal(readClientHello(node.subarray(0, length)).kind, 'more', String(length));
});

test('readClientHello() refuses what another reader could read otherwise (DESIGN "Mutual TLS")', () => {
  const [name, other] = [sni('a.example'), sni('b.example')];
  const bad: readonly (readonly [string, Buffer])[] = [
    ['another protocol', Buffer.from('GET / HTTP/1.1\r\n\r\n')],
    ['an alert', Buffer.from('15030100020228', 'hex')],
    ['an empty record', Buffer.concat([record(Buffer.alloc(0)), node])],
    ['a record over 16 KiB', Buffer.from('1603014001', 'hex')],
    ['a ServerHello', record(Buffer.from('020000020000', 'hex'))],
    ['two name extensions', hello([name, other])],
    ['two names in one', hello([extension(0, Buffer.concat([Buffer.of(0, 10), named('a.b'), named('b')]))])],
    ['an empty list', hello([extension(0, Buffer.of(0, 0))])],
    [
      'another type of name',
      hello([extension(0, Buffer.concat([Buffer.of(0, 4, 1, 0, 1), Buffer.from('a')]))]),
    ],
    ['a NUL in the name', hello([sni('a.example\0.evil')])],
    ['an empty name', hello([sni('')])],
    ['a dot alone', hello([sni('.')])],
    ['two lists of protocols', hello([alpn('h2'), alpn('h2')])],
    ['an empty list of protocols', hello([extension(16, Buffer.of(0, 0))])],
    ['an empty protocol', hello([extension(16, Buffer.of(0, 1, 0))])],
    ['bytes behind the protocols', hello([extension(16, Buffer.of(0, 2, 1, 97, 1))])],
    ['a list that leads out', hello([extension(0, Buffer.of(0, 200, 0, 0, 1, 97))])],
    ['bytes behind it', record(Buffer.concat([node.subarray(5), Buffer.of(1)]))],
    ['more than 16 KiB', record(Buffer.from('01004001', 'hex'))],
    [
      'more than 16 KiB of small records',
      Buffer.concat(
        Array.from({ length: 5 }, () => record(Buffer.from('010030', 'hex').subarray(0, 1))).concat(
          Buffer.alloc(16_384, 22),
        ),
      ),
    ],
  ];
  for (const [what, bytes] of bad) assert.equal(readClientHello(bytes).kind, 'refused', what);
  assert.deepEqual(readClientHello(hello([name])), { kind: 'hello', serverName: 'a.example', protocols: [] });
  assert.deepEqual(readClientHello(hello([sni('A.Example.')])), {
    kind: 'hello',
    serverName: 'a.example',
    protocols: [],
  });
});

test('readClientHello() finds the protocols that real clients offer (RFC 7301 section 3.1)', async () => {
  const offers = await caught((port) => {
    const socket = connect({
      port,
      host: '127.0.0.1',
      servername: 'a.example',
      ALPNProtocols: ['h2', 'acme-tls/1'],
    }).on('error', () => {});
    return () => socket.destroy();
  });
  const protocols = ['h2', 'acme-tls/1'];
  assert.deepEqual(readClientHello(offers), { kind: 'hello', serverName: 'a.example', protocols });
  const openssl = await ofOpenssl('-servername', 'a.example', '-alpn', 'acme-tls/1');
  assert.deepEqual(readClientHello(openssl), {
    kind: 'hello',
    serverName: 'a.example',
    protocols: ['acme-tls/1'],
  });
});

test('readClientHello() never throws, whatever comes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(), fc.nat(255), (bytes, at, value) => {
      readClientHello(bytes);
      const flipped = Buffer.from(node);
      flipped[at % node.length] = value;
      readClientHello(flipped);
    }),
  );
});

function alpn(protocol: string): Buffer {
  const name = Buffer.from(protocol);
  return extension(16, Buffer.concat([Buffer.of(0, name.length + 1, name.length), name]));
}

function record(content: Uint8Array): Buffer {
  return Buffer.concat([Buffer.of(22, 3, 1, content.length >> 8, content.length & 0xff), content]);
}

/** A ClientHello with these extensions alone. */
function hello(extensions: readonly Buffer[]): Buffer {
  const all = Buffer.concat(extensions);
  const fixed = Buffer.concat([Buffer.of(3, 3), Buffer.alloc(32, 7), Buffer.of(0, 0, 2, 0x13, 1, 1, 0)]);
  const body = Buffer.concat([fixed, Buffer.of(all.length >> 8, all.length & 0xff), all]);
  return record(Buffer.concat([Buffer.of(1, 0, body.length >> 8, body.length & 0xff), body]));
}

function extension(type: number, content: Buffer): Buffer {
  return Buffer.concat([Buffer.of(0, type, content.length >> 8, content.length & 0xff), content]);
}

function named(name: string): Buffer {
  return Buffer.concat([Buffer.of(0, name.length >> 8, name.length & 0xff), Buffer.from(name, 'latin1')]);
}

function sni(name: string): Buffer {
  const list = named(name);
  return extension(0, Buffer.concat([Buffer.of(list.length >> 8, list.length & 0xff), list]));
}
