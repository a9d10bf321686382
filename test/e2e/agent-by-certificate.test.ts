// `doorward agent` and `doorward share public` with a client certificate and no API key, where the control
// API requires certificates.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, test, type TestContext } from 'node:test';
import { type CertificateRig, CONTROL_HOST, startCertificateRig } from '../support/control-certificates.ts';
import { startDoorward } from '../support/doorward.ts';
import { eventually } from '../support/serve-process.ts';
import { PROMPTLY_MS } from '../support/promptly.ts';

const TIMED = { timeout: 90_000 };
let rig: CertificateRig;
before(async () => {
  rig = await startCertificateRig('required');
  await writeFile(join(rig.service.folder, 'ca.pem'), rig.service.ca ?? '');
});
after(() => rig[Symbol.asyncDispose]());

test(
  'doorward agent serves by certificate alone, and ends within 2 s of its revocation',
  TIMED,
  async (t) => {
    const { serial } = await certificateFiles('robot');
    const file = join(rig.service.folder, 'agent.yaml');
    const share = `{ name: by-agent, target: "${rig.service.backend.url}", open: true }`;
    const text = `url: ${controlUrl()}\nshares: [${share}]\n`;
    await writeFile(file, text);
    const without = doorward(t, ['agent', '--config', file, '--check']);
    assert.equal((await once(without.child, 'close'))[0], 2, 'neither key nor certificate');
    await writeFile(file, `${text}client_certificate_file: robot.cert.pem\n`);
    const agent = doorward(t, ['agent', '--config', file, '--json']);
    await agent.said('ready');
    assert.equal((await asked('by-agent', '/')).statusCode, 200);
    const stream = await asked('by-agent', '/stream');
    const closed = Promise.withResolvers<void>();
    stream.on('error', () => {}).on('close', () => closed.resolve());
    stream.resume();
    const admin = await rig.issue(rig.keys.alice);
    const startedAt = performance.now();
    const path = `/v1/client-certificates/${serial}/revoke`;
    const { status } = await rig.call({ path, json: {}, pair: admin, apiKey: rig.keys.alice });
    assert.equal(status, 200);
    await closed.promise;
    assert.ok(performance.now() - startedAt < PROMPTLY_MS);
    await eventually('it is away', async () => (await asked('by-agent', '/')).statusCode === 503);
    agent.child.kill('SIGKILL');
    await certificateFiles('robot-3');
    const other = doorward(t, ['agent', '--config', file, '--cert', certOf('robot-3'), '--json']);
    await other.said('ready');
    assert.equal((await asked('by-agent', '/')).statusCode, 200, '--cert overrides the file');
  },
);

test('doorward share public shares by certificate alone', TIMED, async (t) => {
  await certificateFiles('ann');
  const words = ['share', 'public', rig.service.backend.url, '--open', '--json', '--name', 'by-hand'];
  const { said, child } = doorward(t, [...words, '--url', controlUrl(), '--cert', certOf('ann')]);
  await said('ready');
  assert.equal((await asked('by-hand', '/')).statusCode, 200);
  child.kill('SIGINT');
  assert.equal((await once(child, 'close'))[0], 0);
});

test('doorward cert token create makes tokens for the role tunnel', TIMED, async (t) => {
  await certificateFiles('boss', 'admin');
  const words = ['cert', 'token', 'create', '--common-name', 'robot-2', '--api-role', 'tunnel', '--json'];
  // An API key: no certificate gives another one a role.
  const { child, lines } = doorward(t, [...words, '--url', controlUrl(), '--cert', certOf('boss')], {
    DOORWARD_API_KEY: rig.keys.alice,
  });
  assert.equal((await once(child, 'close'))[0], 0);
  assert.match(lines.join(''), /"apiRole": ?"tunnel"/);
});

function controlUrl(): string {
  return `https://${CONTROL_HOST}:${rig.service.ports.gateway}`;
}

function certOf(name: string): string {
  return join(rig.service.folder, `${name}.cert.pem`);
}

async function certificateFiles(name: string, apiRole: 'tunnel' | 'admin' = 'tunnel') {
  const pair = await rig.issue(rig.keys.alice, { apiRole });
  await writeFile(certOf(name), pair.certificate);
  await writeFile(join(rig.service.folder, `${name}.key.pem`), pair.key);
  return pair;
}

function doorward(t: TestContext, words: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const child = startDoorward(words, {
    HOME: '/nonexistent',
    NODE_EXTRA_CA_CERTS: join(rig.service.folder, 'ca.pem'),
    ...env,
  });
  t.after(() => child.kill('SIGKILL'));
  const lines: string[] = [];
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
  return {
    child,
    lines,
    said: (event: string) =>
      eventually(`it says ${event}`, () => {
        assert.equal(child.exitCode, null, err);
        return lines.some((line) => line.includes(`"event":"${event}"`));
      }),
  };
}

function asked(share: string, path: string): Promise<IncomingMessage> {
  const host = `${share}.share.localhost`;
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const { gateway: port } = rig.service.ports;
  request({
    host: '127.0.0.1',
    port,
    servername: host,
    rejectUnauthorized: false,
    agent: false,
    path,
    headers: { host },
  })
    .on('response', (answer) => {
      if (path === '/') answer.resume();
      resolve(answer);
    })
    .on('error', reject)
    .end();
  return promise;
}
