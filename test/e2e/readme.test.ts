// README.md, "Put it in front of your own app" and "Share from anywhere": their commands, each in a shell as
// they are written, until somebody logs in. Only folders, ports and the provider are the test's own, and
// `doorward` is this checkout.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { test, type TestContext } from 'node:test';
import { createBrowser, walkLogin } from '../support/browser-by-hand.ts';
import { type Echo, startEchoBackend } from '../support/echo-backend.ts';
import { freePort } from '../support/free-port.ts';
import { FRONT_DOOR } from '../support/front-door.ts';
import { programOn } from '../support/other-node.ts';
import { startOidcProvider } from '../support/providers/oidc-provider.ts';
import { eventually } from '../support/serve-process.ts';

const root = join(import.meta.dirname, '../..');

test('README.md: from init to a login, by its own commands (5.1)', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'doorward-readme-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const backend = await startEchoBackend();
  t.after(backend.close);
  const [gateway, control, metrics] = [await freePort(), await freePort(), await freePort()];
  const client = { clientId: 'readme', clientSecret: 'a secret of the test' };
  const redirectUris = [`http://auth.share.localhost:${gateway}/google/auth/callback`];
  const idp = await startOidcProvider({ clients: [{ ...client, redirectUris }] });
  t.after(idp.close);
  const own = (words: string) =>
    words
      .replaceAll('/etc/doorward', folder)
      .replaceAll('https://*.share.example.com', `http://*.share.localhost:${gateway}`)
      .replaceAll('http://127.0.0.1:8282', `http://127.0.0.1:${control}`)
      .replaceAll('http://10.0.0.5:8080', backend.url)
      .replaceAll('https://control.share.example.com', `http://control.share.localhost:${gateway}`)
      .replaceAll('share public 3000', `share public ${backend.port}`);
  const readme = own(readFileSync(join(root, 'README.md'), 'utf8'));
  const [[init = ''] = [], [check = '', serve = ''] = [], [account = '', login = '', share = ''] = []] =
    commandBlocks(sectionOf(readme, 'Put it in front of your own app'), [1, 2, 3]);
  const path = `${installedIn(folder)}:${process.env['PATH']}`;
  const shell: Shell = (command, input = '') => runInShell(command, { folder, path, input });

  await shell(init);
  const file = join(folder, 'doorward.yaml');
  const filledIn = readFileSync(file, 'utf8')
    .replace('public_url: http://127.0.0.1:8282', controlAnswersAt(readme))
    .replaceAll('127.0.0.1:8282', `127.0.0.1:${control}`)
    .replace('127.0.0.1:9464', `127.0.0.1:${metrics}`)
    .replace('direct_targets: []', `direct_targets: [127.0.0.1:${backend.port}]`)
    .replace('name: sso', 'name: google')
    .replace('https://id.example.com', idp.issuer)
    .replace('client_id: replace-me', `client_id: ${client.clientId}`)
    .replace('client_secret: replace-me', `client_secret: ${client.clientSecret}`);
  writeFileSync(file, filledIn);
  await shell(check);
  const service = spawn('bash', ['-c', `exec ${serve}`], {
    cwd: root,
    env: { ...process.env, PATH: path },
    stdio: 'ignore',
  });
  t.after(async () => {
    const ended = once(service, 'exit');
    service.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });
  await eventually('it listens', () => fetch(`http://127.0.0.1:${gateway}`).catch(() => null));
  const key = await shell(account);
  assert.match(key, /^dw_[\w-]{43}\n$/);
  await shell(login, key);
  const [url = ''] = (await shell(share)).split('\n');
  const { last } = await walkLogin(createBrowser(), url, { email: 'ada@example.com' });
  assert.equal((JSON.parse(last.body) as Echo).headers['svc-auth-email'], 'ada@example.com');
  const { last: refused } = await walkLogin(createBrowser(), url, { email: 'eve@elsewhere.test' });
  assert.equal(refused.status, 403);
  await shareFromAnywhere(t, { readme, path, shell });
});

/** On another machine, which here is another home. */
async function shareFromAnywhere(
  t: TestContext,
  { readme, path, shell }: { readonly readme: string; readonly path: string; readonly shell: Shell },
): Promise<void> {
  const [[makeKey = ''] = [], [login = '', share = ''] = []] = commandBlocks(
    sectionOf(readme, 'Share from anywhere'),
    [1, 2],
  );
  const key = await shell(makeKey);
  const elsewhere = mkdtempSync(join(tmpdir(), 'doorward-elsewhere-'));
  t.after(() => rmSync(elsewhere, { recursive: true, force: true }));
  await runInShell(login, { folder: elsewhere, path, input: key });
  const env = { ...process.env, PATH: path, XDG_CONFIG_HOME: join(elsewhere, 'xdg') };
  const agent = spawn('bash', ['-c', `exec ${share}`], { cwd: root, env, stdio: 'pipe' });
  const said = text(agent.stderr);
  const ended = once(agent, 'exit');
  t.after(() => agent.kill('SIGKILL'));
  const lines = createInterface({ input: agent.stdout });
  const [url] = await Promise.race([once(lines, 'line'), said.then((errors) => assert.fail(errors))]);
  const { last } = await walkLogin(createBrowser(), String(url), { email: 'ada@example.com' });
  assert.equal((JSON.parse(last.body) as Echo).headers['svc-auth-email'], 'ada@example.com');
  const { last: refused } = await walkLogin(createBrowser(), String(url), { email: 'eve@elsewhere.test' });
  assert.equal(refused.status, 403);
  agent.kill('SIGINT');
  assert.deepEqual(await ended, [0, null]);
}

/** The folder of a `doorward` to be on PATH. */
function installedIn(folder: string): string {
  const programs = join(folder, 'programs');
  mkdirSync(programs);
  programOn(process.execPath, FRONT_DOOR, join(programs, 'doorward'));
  return programs;
}

function sectionOf(readme: string, title: string): string {
  const section = readme.split(/^## /m).find((each) => each.startsWith(`${title}\n`));
  assert.ok(section);
  return section;
}

/** `public_url: …`, as the section says it. */
function controlAnswersAt(readme: string): string {
  const setting = /`control: (public_url: \S+)`/.exec(sectionOf(readme, 'Share from anywhere'))?.[1];
  assert.ok(setting);
  return setting;
}

/** The commands of each ```sh block, continued lines joined; as many as there are to be. */
function commandBlocks(markdown: string, counts: readonly number[]): readonly (readonly string[])[] {
  const blocks = [...markdown.matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = '']) =>
    block.replaceAll('\\\n', ' ').trim().split('\n'),
  );
  assert.deepEqual(
    blocks.map((block) => block.length),
    counts,
  );
  return blocks;
}

type Shell = (command: string, input?: string) => Promise<string>;

async function runInShell(
  script: string,
  { folder, path, input }: { readonly folder: string; readonly path: string; readonly input: string },
): Promise<string> {
  const env = { ...process.env, PATH: path, XDG_CONFIG_HOME: join(folder, 'xdg') };
  const child = spawn('bash', ['-euc', script], { cwd: root, env, stdio: 'pipe' });
  child.stdin.end(input);
  const [output, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  assert.equal(code, 0, `${script}\n${errors}`);
  return output;
}
