// Client certificates at the gate, with real TLS clients: which connection is asked for which, and what a
// request gets on it (DESIGN "Mutual TLS").

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { Agent } from 'node:https';
import { connect as connectTcp } from 'node:net';
import { test } from 'node:test';
import { createClientAuthority } from '../support/client-authority.ts';
import { callTls, revocationOf, startMutualTlsGate } from '../support/mutual-tls.ts';

const STRICT = 'strict.share.localhost';
const SECOND = 'second.share.localhost';
const OPEN = 'open.share.localhost';
const OTHER = 'other.share.localhost';

test('a certificate of the account of the share lets in, by HTTP/1.1 and HTTP/2 (DESIGN "Mutual TLS")', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  const pair = authority.leaf();
  assert.equal((await callTls(gate.port, { host: STRICT, pair })).status, 200);
  assert.equal(await statusByHttp2(gate.port, { servername: STRICT, host: STRICT, pair }), 200);
  // Whoever holds none sees why; a share that asks for none asks nobody.
  assert.equal((await callTls(gate.port, { host: STRICT })).code, 'certificate_required');
  assert.equal((await callTls(gate.port, { host: OPEN })).status, 200);
  assert.equal((await callTls(gate.port, { host: OPEN, pair })).status, 200);
});

test('a request for a host of another policy than the connection gets 421 (DESIGN "Mutual TLS")', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  const pair = authority.leaf();
  const rows = [
    { servername: OPEN, host: STRICT },
    { servername: STRICT, host: OPEN },
    { servername: STRICT, host: OTHER },
    { servername: OTHER, host: STRICT },
    { servername: null, host: STRICT },
    { servername: 'nobody.share.localhost', host: STRICT },
    { servername: STRICT, host: 'nobody.share.localhost' },
  ];
  for (const row of rows) {
    const answer = await callTls(gate.port, { ...row, pair });
    assert.deepEqual([answer.status, answer.code], [421, 'misdirected'], JSON.stringify(row));
    assert.equal(await statusByHttp2(gate.port, { ...row, servername: row.servername ?? '', pair }), 421);
  }
  // All shares of an account ask for the same.
  assert.equal((await callTls(gate.port, { servername: STRICT, host: SECOND, pair })).status, 200);
  assert.equal(
    (await callTls(gate.port, { servername: STRICT.toUpperCase(), host: STRICT, pair })).status,
    200,
  );
});

test('a share that begins to ask asks of connections that were open before, and no more when it ends (DESIGN "Mutual TLS")', async (t) => {
  const { gate, strict, open, second, other } = await startMutualTlsGate(t);
  gate.tell({ type: 'shares', upsert: [], remove: [second.id, other.id] });
  gate.tell({ type: 'shares', upsert: [{ ...strict, clientCertificate: null }], remove: [] });
  assert.equal((await callTls(gate.port, { host: STRICT })).status, 200);
  const session = connectHttp2(`https://127.0.0.1:${gate.port}`, {
    rejectUnauthorized: false,
    servername: OPEN,
  });
  t.after(() => session.destroy());
  const ask = async () => {
    const stream = session.request({ ':authority': OPEN }).resume();
    const [head] = (await once(stream, 'response')) as [Record<string, unknown>];
    return head[':status'];
  };
  assert.equal(await ask(), 200);
  gate.tell({
    type: 'shares',
    upsert: [{ ...open, clientCertificate: strict.clientCertificate }],
    remove: [],
  });
  assert.equal(await ask(), 421);
  gate.tell({ type: 'shares', upsert: [open], remove: [] });
  assert.equal(await ask(), 200);
});

test('the authorities of the account are named in the handshake, and nobody else’s (DESIGN "Mutual TLS")', async (t) => {
  const { gate, authority } = await startMutualTlsGate(t);
  const rotated = createClientAuthority(authority.trusted.accountId, { name: 'Next CA' });
  const pair = rotated.leaf();
  assert.equal((await callTls(gate.port, { host: STRICT, pair })).code, 'certificate_foreign');
  gate.tell({
    type: 'trust',
    news: { reset: false, authorities: [rotated.trusted], gone: [], revoked: [], gaps: [], known: [] },
  });
  assert.equal((await callTls(gate.port, { host: STRICT, pair })).status, 200);
  assert.equal((await callTls(gate.port, { host: STRICT, pair: authority.leaf() })).status, 200);
});

test('a connection that was open loses what is revoked, and what its authority vouched for (DESIGN "Mutual TLS")', async (t) => {
  const { gate, authority, tell } = await startMutualTlsGate(t);
  const [ann, bob] = [authority.leaf(), authority.leaf({ commonName: 'bob' })];
  const agents = [ann, bob].map(() => new Agent({ keepAlive: true, maxSockets: 1, maxCachedSessions: 0 }));
  t.after(() => agents.forEach((agent) => agent.destroy()));
  const ask = async (index: number, pair: typeof ann) =>
    callTls(gate.port, { host: STRICT, pair, tls: { agent: agents[index]! } });
  assert.equal((await ask(0, ann)).status, 200);
  assert.equal((await ask(1, bob)).status, 200);
  tell(revocationOf(authority, ann));
  assert.equal((await ask(0, ann)).code, 'certificate_revoked');
  assert.equal((await ask(1, bob)).status, 200);
  tell({ gone: [authority.trusted.id] });
  assert.equal((await ask(1, bob)).code, 'certificate_foreign');
});

test('what is no ClientHello is cut off, and ends with the gate (DESIGN "Mutual TLS")', async (t) => {
  const { gate } = await startMutualTlsGate(t);
  const plain = connectTcp(gate.port, '127.0.0.1');
  plain.on('error', () => {});
  plain.write(`GET / HTTP/1.1\r\nHost: ${STRICT}\r\n\r\n`);
  await once(plain, 'close');
  const silent = connectTcp(gate.port, '127.0.0.1');
  silent.on('error', () => {});
  await once(silent, 'connect');
  // Accepted, and waited for.
  assert.equal((await callTls(gate.port, { host: OPEN })).status, 200);
  const closed = once(silent, 'close');
  await gate.close();
  await closed;
});

type Http2Call = {
  readonly servername: string;
  readonly host: string;
  readonly pair: { readonly certificate: string; readonly key: string };
};

async function statusByHttp2(port: number, { servername, host, pair }: Http2Call): Promise<unknown> {
  const session = connectHttp2(`https://127.0.0.1:${port}`, {
    rejectUnauthorized: false,
    servername,
    cert: pair.certificate,
    key: pair.key,
  });
  try {
    const stream = session.request({ ':authority': host }).resume();
    const [head] = (await once(stream, 'response')) as [Record<string, unknown>];
    return head[':status'];
  } finally {
    session.destroy();
  }
}
