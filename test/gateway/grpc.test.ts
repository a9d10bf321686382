// gRPC through the gate, by gRPC's own client and server (DESIGN "HTTP/2 to backends", "gRPC"): visitors come
// by HTTP/2 over TLS, backends are reached in the clear (`h2c`) or over TLS.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { describe, test, type TestContext } from 'node:test';
import { setDefaultCACertificates, getCACertificates } from 'node:tls';
import { newId } from '../../src/domain/id.ts';
import { secretHash } from '../../src/domain/secret.ts';
import { newServiceToken } from '../../src/domain/service-token.ts';
import type { Share } from '../../src/domain/share.ts';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testLogin, testShare, type TestGateOptions } from '../support/gate.ts';
import {
  bytes,
  collect,
  grpcClient,
  type Handlers,
  metadataOf,
  METHODS,
  NO_GRPC,
  type ServerCall,
  startGrpc,
  unary,
} from '../support/grpc.ts';

const HOST = 'demo.share.localhost';
const CERTIFICATE = makeCertificate(['*.share.localhost', 'localhost']);
const SECURE = {
  tls: true,
  publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
  endpointUrl: 'https://auth.share.localhost',
} as const;

type Rig = { readonly share?: Partial<Share>; readonly secure?: boolean; readonly gate?: TestGateOptions };

async function gateBefore(t: TestContext, handlers: Handlers, rig: Rig = {}) {
  const port = await startGrpc(t, handlers, rig.secure === true ? CERTIFICATE : null);
  const share = testShare(
    'demo',
    rig.secure === true ? `https://localhost:${port}` : `h2c://127.0.0.1:${port}`,
    rig.share,
  );
  const gate = await startTestGate({
    shares: [share],
    settings: SECURE,
    certificates: [CERTIFICATE],
    ...rig.gate,
  });
  t.after(gate.close);
  const client = grpcClient(t, gate.port, { host: HOST, certificate: CERTIFICATE.certificate });
  return { gate, share, client, port };
}

describe('gRPC', { skip: NO_GRPC, timeout: 60_000 }, () => {
  for (const secure of [false, true]) {
    const way = secure ? 'https, HTTP/2 by ALPN' : 'h2c';

    test(`${way}: unary, with metadata both ways and in trailers, binary ones too`, async (t) => {
      if (secure) trust(t);
      const blob = randomBytes(64);
      const seen: ServerCall[] = [];
      const { client } = await gateBefore(
        t,
        {
          unary: (call, reply) => {
            seen.push(call);
            call.sendMetadata(metadataOf({ 'x-head': 'one', 'x-head-bin': blob }));
            reply(null, Buffer.concat([call.request, Buffer.from('!')]), metadataOf({ 'x-tail': 'two' }));
          },
        },
        { secure },
      );
      const metadata = metadataOf({ 'x-ask': 'three', 'x-ask-bin': blob });
      const { messages, head, status } = await unary(client, Buffer.from('hello'), { metadata });
      assert.deepEqual([status.code, messages.map(String)], [0, ['hello!']]);
      assert.deepEqual([head?.get('x-head'), head?.get('x-head-bin')], [['one'], [blob]]);
      assert.deepEqual(status.metadata.get('x-tail'), ['two']);
      assert.deepEqual(seen[0]?.metadata.get('x-ask'), ['three']);
      assert.deepEqual(seen[0]?.metadata.get('x-ask-bin'), [blob]);
      assert.deepEqual(seen[0]?.metadata.get('x-forwarded-host'), [HOST]);
    });
  }

  test('client streaming, and a server that answers before it has all', async (t) => {
    const { client } = await gateBefore(t, {
      up: (call, reply) => {
        const parts: Buffer[] = [];
        call.on('data', (part: Buffer) => {
          parts.push(part);
          if (String(part) === 'enough') reply({ code: 9, details: 'enough of it' });
        });
        call.on('end', () => reply(null, Buffer.concat(parts)));
      },
    });
    const answer = Promise.withResolvers<Buffer | undefined>();
    const call = client.makeClientStreamRequest(
      METHODS.up,
      bytes,
      bytes,
      metadataOf({}),
      {},
      (_error: unknown, reply?: Buffer) => answer.resolve(reply),
    );
    for (const part of ['a', 'b', 'c']) call.write(Buffer.from(part));
    call.end();
    assert.equal(String(await answer.promise), 'abc');
    const early = client.makeClientStreamRequest(METHODS.up, bytes, bytes, metadataOf({}), {}, () => {});
    const ended = collect(early);
    early.write(Buffer.from('enough'));
    const { status } = await ended;
    assert.deepEqual([status.code, status.details], [9, 'enough of it']);
  });

  test('server streaming: each message as it comes, ten thousand of them in order', async (t) => {
    const { client } = await gateBefore(t, {
      down: (call) => {
        call.write(Buffer.from('first'));
        call.on('cancelled', () => {});
        let next = 0;
        const go = () => {
          while (next < 10_000) if (!call.write(Buffer.from(String(next++)))) return;
          call.end();
        };
        call.on('drain', go);
        go();
      },
    });
    const { messages, status } = await collect(
      client.makeServerStreamRequest(METHODS.down, bytes, bytes, Buffer.from(''), metadataOf({}), {}),
    );
    assert.equal(status.code, 0);
    assert.deepEqual(messages.map(String), [
      'first',
      ...Array.from({ length: 10_000 }, (_, at) => String(at)),
    ]);
  });

  test('bidirectional streaming: each waits for the other’s word', async (t) => {
    const { client } = await gateBefore(t, {
      both: (call) => {
        call.on('data', (message: Buffer) => call.write(Buffer.from(`echo ${String(message)}`)));
        call.on('end', () => call.end(metadataOf({ 'x-tail': 'done' })));
      },
    });
    const call = client.makeBidiStreamRequest(METHODS.both, bytes, bytes, metadataOf({}), {});
    let turn = 0;
    const next = () => (turn < 50 ? call.write(Buffer.from(String(turn++))) : call.end());
    const ended = collect(call, next);
    next();
    const { messages, status } = await ended;
    assert.equal(status.code, 0);
    assert.equal(messages.length, 50);
    assert.equal(String(messages[49]), 'echo 49');
    assert.deepEqual(status.metadata.get('x-tail'), ['done']);
  });

  test('an error of the server alone (trailers only), its details and its metadata', async (t) => {
    const { client } = await gateBefore(t, {
      unary: (_call, reply) =>
        reply({ code: 5, details: 'no such thing: 100 % “gone”', metadata: metadataOf({ 'x-why': 'so' }) }),
    });
    const { status } = await unary(client, Buffer.from(''));
    assert.deepEqual([status.code, status.details], [5, 'no such thing: 100 % “gone”']);
    assert.deepEqual(status.metadata.get('x-why'), ['so']);
    const unknown = client.makeUnaryRequest(
      '/test.Bytes/None',
      bytes,
      bytes,
      Buffer.from(''),
      metadataOf({}),
      {},
      () => {},
    );
    assert.equal((await collect(unknown)).status.code, 12);
  });

  test('a deadline reaches the server, and ends the call at both ends', async (t) => {
    const cancelled = Promise.withResolvers<void>();
    let deadline = 0;
    const { client } = await gateBefore(t, {
      unary: (call) => {
        deadline = Number(call.getDeadline());
        call.on('cancelled', () => cancelled.resolve());
      },
    });
    const { status } = await unary(client, Buffer.from(''), { deadline: Date.now() + 700 });
    assert.equal(status.code, 4);
    await cancelled.promise;
    assert.ok(Math.abs(deadline - Date.now()) < 10_000, String(deadline));
  });

  test('a call that the client cancels is cancelled at the server', async (t) => {
    const begun = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    const { client } = await gateBefore(t, {
      both: (call) => {
        call.on('cancelled', () => cancelled.resolve());
        call.on('data', () => begun.resolve());
      },
    });
    const call = client.makeBidiStreamRequest(METHODS.both, bytes, bytes, metadataOf({}), {});
    const ended = collect(call);
    call.write(Buffer.from('hello'));
    await begun.promise;
    call.cancel();
    assert.equal((await ended).status.code, 1);
    await cancelled.promise;
  });

  test('messages of 32 MB pass both ways', async (t) => {
    const { client } = await gateBefore(t, { unary: (call, reply) => reply(null, call.request) });
    const large = randomBytes(32 * 1024 * 1024);
    const { messages, status } = await unary(client, large);
    assert.equal(status.code, 0);
    assert.equal(hash(messages[0]!), hash(large));
  });

  test('nobody without a login gets through: UNAUTHENTICATED in words, on any kind of call', async (t) => {
    let reached = 0;
    const handlers: Handlers = { unary: () => reached++, both: () => reached++ };
    const { client } = await gateBefore(t, handlers, { share: { login: testLogin() } });
    const { status } = await unary(client, Buffer.from('hello'));
    assert.deepEqual([status.code, reached], [16, 0]);
    assert.match(status.details, /login.*\(login_required\)$/);
    const call = client.makeBidiStreamRequest(METHODS.both, bytes, bytes, metadataOf({}), {});
    const ended = collect(call);
    call.write(Buffer.from('hello'));
    assert.deepEqual([(await ended).status.code, reached], [16, 0]);
  });

  test('a refused caller gets PERMISSION_DENIED, a share that is not there UNIMPLEMENTED, a backend that is away UNAVAILABLE', async (t) => {
    const login = testLogin({ emailPatterns: ['*@example.com'] });
    const { client, gate, share } = await gateBefore(t, { unary: () => {} }, { share: { login } });
    const { cookie } = gate.login(share, { email: 'eve@elsewhere.org' });
    const metadata = metadataOf({ cookie });
    const refused = await unary(client, Buffer.from(''), { metadata });
    assert.equal(refused.status.code, 7);
    assert.match(refused.status.details, /\(email_refused\)$/);
    gate.tell({
      type: 'shares',
      upsert: [{ ...share, login: null, target: 'h2c://127.0.0.1:1' }],
      remove: [],
    });
    const away = await unary(client, Buffer.from(''));
    assert.equal(away.status.code, 14);
    assert.match(away.status.details, /\(backend_down\)$/);
    gate.tell({ type: 'shares', upsert: [], remove: [share.id] });
    assert.equal((await unary(client, Buffer.from(''))).status.code, 12);
  });

  test('a logged-in caller is named to the server; identity that it invents is not', async (t) => {
    const seen: ServerCall[] = [];
    const { client, gate, share } = await gateBefore(
      t,
      {
        unary: (call, reply) => {
          seen.push(call);
          reply(null, Buffer.from('ok'));
        },
      },
      { share: { login: testLogin() } },
    );
    const { cookie } = gate.login(share, { email: 'ada@example.com' });
    const metadata = metadataOf({ cookie, 'svc-auth-email': 'root@example.com', 'client-cert': 'x' });
    const { status } = await unary(client, Buffer.from(''), { metadata });
    assert.equal(status.code, 0);
    const got = seen[0]!.metadata;
    assert.deepEqual(got.get('svc-auth-email'), ['ada@example.com']);
    assert.equal(got.get('svc-auth-assertion').length, 1);
    assert.deepEqual([got.get('client-cert'), got.get('cookie')], [[], []]);
  });

  test('a service token as metadata lets a program in, in either header; the server never sees it', async (t) => {
    const seen: ServerCall[] = [];
    const token = newServiceToken();
    const { client, gate, share } = await gateBefore(
      t,
      {
        unary: (call, reply) => {
          seen.push(call);
          reply(null, Buffer.from('ok'));
        },
      },
      { share: { rules: [{ allow: { tokens: ['deploy-*'] } }] } },
    );
    gate.tell({
      type: 'tokens',
      news: {
        reset: true,
        gone: [],
        tokens: [
          {
            id: newId('tok'),
            accountId: share.accountId,
            name: 'deploy-bot',
            shareIds: [share.id],
            hash: secretHash(token),
            expiresAt: Date.now() + 60_000,
          },
        ],
      },
    });
    for (const fields of [
      { 'svc-auth-token': token.reveal() },
      { authorization: `Bearer ${token.reveal()}` },
    ]) {
      const { status } = await unary(client, Buffer.from(''), { metadata: metadataOf(fields) });
      assert.equal(status.code, 0, status.details);
    }
    for (const { metadata } of seen) {
      assert.deepEqual(metadata.get('svc-auth-subject'), ['deploy-bot']);
      assert.deepEqual([metadata.get('svc-auth-token'), metadata.get('authorization')], [[], []]);
    }
    const wrong = metadataOf({ 'svc-auth-token': newServiceToken().reveal() });
    const { status } = await unary(client, Buffer.from(''), { metadata: wrong });
    assert.deepEqual([status.code, seen.length], [16, 2]);
  });

  test('an open stream ends within two seconds of the session', async (t) => {
    const begun = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    const { client, gate, share } = await gateBefore(
      t,
      {
        both: (call) => {
          call.on('cancelled', () => cancelled.resolve());
          call.on('data', () => begun.resolve());
        },
      },
      { share: { login: testLogin() } },
    );
    const login = gate.login(share);
    const metadata = metadataOf({ cookie: login.cookie });
    const call = client.makeBidiStreamRequest(METHODS.both, bytes, bytes, metadata, {});
    const ended = collect(call);
    call.write(Buffer.from('hello'));
    await begun.promise;
    const at = performance.now();
    gate.end(login);
    assert.notEqual((await ended).status.code, 0);
    await cancelled.promise;
    assert.ok(performance.now() - at < 2_000);
  });

  test('a hundred calls at once share a connection, and one that breaks off leaves the others alone', async (t) => {
    const { client } = await gateBefore(t, {
      unary: (call, reply) => {
        if (String(call.request) === 'never') return;
        setImmediate(() => reply(null, call.request));
      },
    });
    const never = unary(client, Buffer.from('never'), { deadline: Date.now() + 500 });
    const all = await Promise.all(
      Array.from({ length: 100 }, (_, at) => unary(client, Buffer.from(String(at)))),
    );
    assert.ok(
      all.every(({ status, messages }, at) => status.code === 0 && String(messages[0]) === String(at)),
    );
    assert.equal((await never).status.code, 4);
  });
});

function trust(t: TestContext): void {
  const before = getCACertificates('default');
  setDefaultCACertificates([...before, CERTIFICATE.certificate]);
  t.after(() => setDefaultCACertificates(before));
}

function hash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
