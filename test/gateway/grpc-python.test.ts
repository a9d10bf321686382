// gRPC through the gate by another implementation: grpcio, the C core with Python, at both ends. Where a
// python3 on PATH has it.

import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { promisify } from 'node:util';
import { makeCertificate } from '../support/certificate.ts';
import { startTestGate, testLogin, testShare } from '../support/gate.ts';

const PEER = join(import.meta.dirname, '../support/grpc-peer.py');
const SKIP =
  spawnSync('python3', ['-c', 'import grpc'], { stdio: 'ignore' }).status === 0
    ? false
    : 'no python3 with grpcio';

test(
  'gRPC by grpcio at both ends: every kind of call, its metadata, its errors',
  { skip: SKIP },
  async (t) => {
    const { call } = await rig(t);
    assert.deepEqual(await call('client', 'open.share.localhost'), {
      unary: ['olleh', 'first', 'told'],
      binary: '00ff',
      collect: 1_000_000,
      count: true,
      converse: 'ABC',
      fail: ['FAILED_PRECONDITION', 'not now: é', 'testing'],
      deadline: 'DEADLINE_EXCEEDED',
      unknown: 'UNIMPLEMENTED',
    });
  },
);

test('gRPC by grpcio: who is not let in is told so as gRPC tells it', { skip: SKIP }, async (t) => {
  const { call } = await rig(t);
  const [code, details] = (await call('refused', 'closed.share.localhost')) as [string, string];
  assert.equal(code, 'UNAUTHENTICATED');
  assert.match(details, /\(login_required\)/);
  const [none] = (await call('refused', 'none.share.localhost')) as [string, string];
  assert.equal(none, 'UNIMPLEMENTED');
});

async function rig(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-grpcio-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const certificate = makeCertificate(['*.share.localhost']);
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, certificate.certificate);
  const server = spawn('python3', [PEER, 'server'], { stdio: ['ignore', 'pipe', 'inherit'] });
  t.after(async () => {
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  });
  const [port] = (await once(server.stdout, 'data')) as [Buffer];
  const target = `h2c://127.0.0.1:${port.toString().trim()}`;
  const gate = await startTestGate({
    shares: [testShare('open', target), testShare('closed', target, { login: testLogin() })],
    settings: {
      tls: true,
      publicUrl: { scheme: 'https', domain: 'share.localhost', port: 443 },
      endpointUrl: 'https://auth.share.localhost',
    },
    certificates: [certificate],
  });
  t.after(gate.close);
  const call = async (what: 'client' | 'refused', host: string): Promise<unknown> => {
    const words = [PEER, what, `127.0.0.1:${gate.port}`, host, ca];
    const { stdout } = await promisify(execFile)('python3', words, { timeout: 60_000 });
    return JSON.parse(stdout);
  };
  return { call };
}
