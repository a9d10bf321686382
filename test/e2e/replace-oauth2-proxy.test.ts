// docs/how-to/migrate-from-oauth2-proxy.md, "Behind nginx": its configuration, commands and lines as they are
// written, in a running nginx. Only hosts, ports, certificate and secret are the test's own, and somebody who
// is logged in goes on.

import assert from 'node:assert/strict';
import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { parse } from 'yaml';
import { programOf } from '../support/asking-proxy.ts';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { callDoorward } from '../support/doorward.ts';
import { createTestAuthority } from '../support/certificates.ts';
import { type Echo, startEchoBackend } from '../support/echo-backend.ts';

import { OWN_FETCH, PROXY_SECRET } from '../support/forward-auth.ts';
import { freePort } from '../support/free-port.ts';
import { changeConfig, type ConfigTree, eventually } from '../support/serve-process.ts';
import { corpClient } from '../support/service.ts';
import { layOutService } from '../support/service-process.ts';

const ROOT = join(import.meta.dirname, '../..');
const EMAIL = 'ada@example.com';
const NGINX = programOf('nginx');
const OAUTH2_PROXY = programOf('oauth2-proxy');
const MISSING = [NGINX === null && 'nginx', OAUTH2_PROXY === null && 'oauth2-proxy'].filter(Boolean);
const SKIP = MISSING.length > 0 ? `${MISSING.join(' and ')} not installed` : false;

test(
  'oauth2-proxy behind a running nginx is replaced by the steps of the guide',
  { skip: SKIP },
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'doorward-replace-'));
    t.after(() => rmSync(folder, { recursive: true, force: true }));
    const backend = await startEchoBackend();
    t.after(backend.close);
    const authority = createTestAuthority();
    t.after(authority.dispose);
    const pair = authority.issue(['*.share.localhost']);
    writeFileSync(join(folder, 'share.pem'), pair.certificate);
    writeFileSync(join(folder, 'share.key'), pair.key);
    const service = await layOutService();
    t.after(() => service.close());
    const [port, asked] = [await freePort(), await freePort()];
    const own = (words: string) =>
      words
        .replaceAll('/etc/ssl/', `${folder}/`)
        .replaceAll('*.example.com', `*.share.localhost:${port}`)
        .replaceAll('https://login.example.com', `https://login.share.localhost:${port}`)
        .replaceAll(/(wiki|login)\.example\.com/g, '$1.share.localhost')
        .replaceAll('cookie_domain: example.com', 'cookie_domain: share.localhost')
        .replaceAll('listen 443', `listen 127.0.0.1:${port}`)
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${service.port}`)
        .replaceAll('127.0.0.1:3000', `127.0.0.1:${backend.port}`)
        .replaceAll('127.0.0.1:4180', `127.0.0.1:${asked}`)
        .replaceAll('REPLACE_WITH_THE_SECRET', PROXY_SECRET);
    const guide = guideBlocks();
    const url = `https://wiki.share.localhost:${port}`;
    const client = corpClient('');
    // The stand-in takes redirect URLs of one host alone: one after the other.
    const redirectTo = (address: string) => service.idp.addClient({ ...client, redirectUris: [address] });
    redirectTo(`${url}/oauth2/callback`);

    // What is there before: oauth2-proxy, nginx, and somebody who is logged in.
    startIn(t, folder, OAUTH2_PROXY ?? '', [
      `--http-address=127.0.0.1:${asked}`,
      '--provider=oidc',
      `--oidc-issuer-url=${service.idp.issuer}`,
      `--client-id=${client.clientId}`,
      `--client-secret=${client.clientSecret}`,
      `--redirect-url=${url}/oauth2/callback`,
      `--cookie-secret=${randomBytes(16).toString('hex')}`,
      '--code-challenge-method=S256',
      '--email-domain=example.com',
      '--reverse-proxy=true',
      '--set-xauthrequest=true',
      '--skip-provider-button=true',
    ]);
    writeFileSync(join(folder, 'wiki.conf'), own(guide.before));
    writeFileSync(join(folder, 'nginx.conf'), nginxText(folder));
    const words = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', 'stderr'];
    const nginx = startIn(t, folder, NGINX ?? '', words);
    const browser = createBrowser({ ca: authority.ca });
    await eventually('oauth2-proxy answers through nginx', async () => {
      const answer = await browser.open(`${url}/oauth2/sign_in`).catch(() => null);
      return answer?.status === 302;
    });
    const before = await walkLogin(browser, `${url}/before`, { email: EMAIL });
    const told = echoOf(before.last);
    assert.equal(told.headers['x-auth-request-email'], EMAIL);

    // Steps 1 and 2.
    redirectTo(`https://login.share.localhost:${port}/corp/auth/callback`);
    changeConfig(service, (config) => {
      const sections = parse(own(guide.config)) as ConfigTree;
      for (const [name, members] of Object.entries(sections)) config[name] = { ...config[name], ...members };
    });
    writeFileSync(join(service.folder, 'forward-auth.secret'), PROXY_SECRET, { mode: 0o600 });
    await service.start();
    const { key } = await service.client.apiKeys.create({ name: 'guide' });
    const created = await callDoorward(wordsOf(guide.create), {
      env: { DOORWARD_URL: service.controlUrl, DOORWARD_API_KEY: key },
    });
    assert.equal(created.code, 0, created.err);

    // Steps 3, 4 and 5. `nginx` is that one, with the folder of the test.
    copyFileSync(join(ROOT, 'examples/forward-auth/nginx/app.conf'), join(folder, 'app.conf'));
    inShell(folder, guide.names);
    const written = readFileSync(join(folder, 'wiki.new'), 'utf8');
    const filledIn = own(written).replace(/( +location \/ \{\n)/, `$1${guide.lines}`);
    writeFileSync(join(folder, 'wiki.new'), filledIn);
    const thisNginx = `nginx() { '${NGINX}' ${words.map((word) => `'${word}'`).join(' ')} "$@"; }\n`;
    await reloaded(nginx, () => inShell(folder, thisNginx + guide.reload));

    // Nothing is typed: the provider knows them still.
    const after = await browser.follow(`${url}/after?page=2`);
    const echo = echoOf(after.last);
    assert.equal(echo.target, '/after?page=2');
    assert.equal(echo.headers['x-auth-request-provider'], 'corp');
    assert.equal(echo.headers['x-auth-request-email'], EMAIL);
    assert.equal(echo.headers['x-auth-request-user'], told.headers['x-auth-request-user']);
    const claimed = await browser.open(`${url}/`, {
      headers: {
        'x-auth-request-email': 'root@example.com',
        'x-auth-request-user': 'root',
        'x-auth-request-preferred-username': 'root',
        'x-auth-request-groups': 'root',
        'x-auth-request-access-token': 'root',
      },
    });
    const { headers } = echoOf(claimed);
    assert.equal(headers['x-auth-request-email'], EMAIL);
    assert.doesNotMatch(JSON.stringify(headers), /root/);
    assert.equal(
      (await createBrowser({ ca: authority.ca }).request(`${url}/api`, { headers: OWN_FETCH })).status,
      401,
    );
    const refused = await walkLogin(createBrowser({ ca: authority.ca }), url, { email: 'eve@evil.example' });
    assert.equal(refused.last.status, 403);

    // Going back: the session of before.
    copyFileSync(join(folder, 'wiki.oauth2-proxy'), join(folder, 'wiki.conf'));
    await reloaded(nginx, () => inShell(folder, `${thisNginx} nginx -s reload`));
    assert.equal(echoOf(await browser.open(`${url}/back`)).headers['x-auth-request-email'], EMAIL);
  },
);

/** The blocks of the guide, in its order. */
function guideBlocks() {
  const text = readFileSync(join(ROOT, 'docs/how-to/migrate-from-oauth2-proxy.md'), 'utf8');
  const section = text.slice(text.indexOf('## Behind nginx'), text.indexOf('## Live sessions'));
  const blocks = [...section.matchAll(/^( *)```(\w+)\n([^]*?)^ *```/gm)].map(
    ([, indent = '', kind = '', block = '']) => ({
      kind,
      block: block.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
    }),
  );
  assert.deepEqual(
    blocks.map(({ kind }) => kind),
    ['nginx', 'yaml', 'sh', 'sh', 'nginx', 'sh'],
  );
  const [before = '', config = '', create = '', names = '', lines = '', reload = ''] = blocks.map(
    ({ block }) => block,
  );
  return { before, config, create, names, lines, reload };
}

/** Runs it in a shell; until nginx has ended the workers of before, either configuration may answer. */
async function reloaded(nginx: ChildProcess, reload: () => void): Promise<void> {
  const before = workersOf(nginx);
  reload();
  await eventually('nginx has reloaded', () => {
    const now = workersOf(nginx);
    return now.length > 0 && !now.some((worker) => before.includes(worker));
  });
}

function workersOf({ pid }: ChildProcess): readonly string[] {
  const { stdout } = spawnSync('ps', ['-ax', '-o', 'ppid=,pid='], { encoding: 'utf8' });
  const pairs = stdout.split('\n').map((line) => line.trim().split(/\s+/));
  return pairs.flatMap(([parent, worker = '']) => (parent === String(pid) ? [worker] : []));
}

/** Of `doorward …`, without the program. */
function wordsOf(command: string): readonly string[] {
  return command
    .replaceAll('\\\n', ' ')
    .trim()
    .split(/\s+/)
    .slice(1)
    .map((word) => word.replaceAll("'", ''));
}

function nginxText(folder: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  return `${process.getuid?.() === 0 ? 'user root;' : ''}
daemon off; worker_processes 1; pid ${folder}/pid; error_log stderr warn;
events {}
http { access_log off; ${paths.join(' ')} include ${folder}/wiki.conf; }
`;
}

function startIn(t: TestContext, folder: string, program: string, words: readonly string[]): ChildProcess {
  const child = spawn(program, words, { cwd: folder, stdio: 'ignore' });
  t.after(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  });
  return child;
}

function inShell(folder: string, command: string): void {
  const { status, stderr } = spawnSync('bash', ['-ec', command], { cwd: folder, encoding: 'utf8' });
  assert.equal(status, 0, stderr);
}

function echoOf({ body }: { readonly body: string }): Echo {
  return JSON.parse(body) as Echo;
}
