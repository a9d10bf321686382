// The control API at the gateway's address, where it asks for client certificates: those of all accounts,
// which its handshake names as long as they are few; what came with a connection is handed on inside (DESIGN
// "Mutual TLS").

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { NO_TRUST } from '../../src/domain/certificate-trust.ts';
import { newId } from '../../src/domain/id.ts';
import { randomToken } from '../../src/domain/secret.ts';
import { echoedValues } from '../support/backend.ts';
import { createClientAuthority, type ClientAuthority, type ClientPair } from '../support/client-authority.ts';
import { startTestGate } from '../support/gate.ts';
import { callTls, GATE_CERTIFICATE, TLS_SETTINGS } from '../support/mutual-tls.ts';

const HOST = 'control.share.localhost';
const SECRET = randomToken();

async function startControlGate(t: TestContext, authorities: readonly ClientAuthority[]) {
  const folder = mkdtempSync(join(tmpdir(), 'inside-'));
  const socketPath = join(folder, 'control.sock');
  const inside = createServer((request, response) => {
    response.end(JSON.stringify({ method: request.method, url: request.url, headers: request.rawHeaders }));
  });
  await new Promise<void>((resolve) => inside.listen(socketPath, resolve));
  const gate = await startTestGate({
    shares: [],
    settings: {
      ...TLS_SETTINGS,
      inside: [{ host: HOST, socketPath }],
      controlCertificates: { host: HOST, secret: SECRET },
    },
    certificates: [GATE_CERTIFICATE],
    trust: { ...NO_TRUST, authorities: authorities.map(({ trusted }) => trusted) },
  });
  t.after(async () => {
    await gate.close();
    inside.closeAllConnections();
    inside.close();
    rmSync(folder, { recursive: true });
  });
  const said = async (pair?: ClientPair) => {
    const { body } = await callTls(gate.port, { host: HOST, ...(pair === undefined ? {} : { pair }) });
    return echoedValues(body, 'client-cert-inside');
  };
  return { gate, said };
}

function makeAuthorities(count: number): readonly ClientAuthority[] {
  return Array.from({ length: count }, (_, index) =>
    createClientAuthority(newId('acc'), { name: `CA ${index}` }),
  );
}

// So many that the handshake names none: the key alone vouches.
for (const count of [2, 101])
  test(`with ${count} authorities, each one's certificates are told apart by key`, async (t) => {
    const all = makeAuthorities(count);
    const { said } = await startControlGate(t, all);
    for (const authority of [all[0], all[count - 1]]) {
      assert.ok(authority);
      const pair = authority.leaf();
      assert.deepEqual(await said(pair), [`${SECRET} ${authority.trusted.id} ${pair.fingerprint}`]);
    }
    const impostor = createClientAuthority(newId('acc'), { name: 'CA 0' }).leaf();
    assert.deepEqual(await said(impostor), [`${SECRET} - ${impostor.fingerprint}`]);
    const below = all[0]?.below('below').leaf();
    assert.deepEqual(await said(below), [`${SECRET} - ${below?.fingerprint}`]);
    assert.deepEqual(await said(), []);
  });

for (const count of [2, 101])
  test(`with ${count} authorities, clients may send their whole chain, and no chain makes an authority`, async (t) => {
    const all = makeAuthorities(count);
    const [authority] = all;
    assert.ok(authority);
    const { said } = await startControlGate(t, all);
    const withChain = (pair: ClientPair, ...chain: readonly ClientAuthority[]) =>
      said({ ...pair, certificate: [pair, ...chain].map(({ certificate }) => certificate).join('') });
    const pair = authority.leaf();
    const known = [`${SECRET} ${authority.trusted.id} ${pair.fingerprint}`];
    assert.deepEqual(await withChain(pair, authority), known);
    // Of the same name, with a chain of its own that holds.
    const impostor = createClientAuthority(newId('acc'), { name: 'CA 0' });
    const forged = impostor.leaf();
    for (const chain of [[impostor], [authority], [impostor, authority]])
      assert.deepEqual(await withChain(forged, ...chain), [`${SECRET} - ${forged.fingerprint}`]);
    const below = authority.below('below');
    const under = below.leaf();
    assert.deepEqual(await withChain(under, below, authority), [`${SECRET} - ${under.fingerprint}`]);
  });

test('a handshake names the authorities of all accounts, and those that come later', async (t) => {
  const [one, two, late] = makeAuthorities(3);
  assert.ok(one && two && late);
  const { gate, said } = await startControlGate(t, [one, two]);
  assert.deepEqual(await namesAsked(gate.port), ['CN = CA 0', 'CN = CA 1']);
  const pair = late.leaf();
  assert.deepEqual(await said(pair), [`${SECRET} - ${pair.fingerprint}`]);
  gate.tell({ type: 'trust', news: { ...NO_TRUST, reset: false, authorities: [late.trusted] } });
  assert.deepEqual(await said(pair), [`${SECRET} ${late.trusted.id} ${pair.fingerprint}`]);
  assert.deepEqual(await namesAsked(gate.port), ['CN = CA 0', 'CN = CA 1', 'CN = CA 2']);
});

/** As `openssl s_client` prints them. */
async function namesAsked(port: number): Promise<readonly string[]> {
  const child = spawn('openssl', ['s_client', '-connect', `127.0.0.1:${port}`, '-servername', HOST], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  child.stdin.end();
  const said = await text(child.stdout);
  const block =
    /Acceptable client certificate CA names\n((?:.+\n)+?)(?=\S+ Types|Requested)/.exec(said)?.[1] ?? '';
  return (block.match(/CN ?= ?CA \d+/g) ?? []).map((name) => name.replace(/ ?= ?/, ' = ')).toSorted();
}
