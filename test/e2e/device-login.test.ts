// `doorward login` in a browser (RFC 8628): the real program, a real service, and Chromium where the member
// confirms it.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test, type TestContext } from 'node:test';
import type { CallerObject } from '../../src/wire/caller.ts';
import { startConsole, type TestConsole } from '../support/console-browser.ts';
import { compiled, FRONT_DOOR } from '../support/front-door.ts';
import { doorwardInTerminal } from '../support/in-terminal.ts';
import { until } from '../support/until.ts';

let site: TestConsole;
before(async () => {
  site = await startConsole();
});
after(() => site.close());

describe('doorward login --browser', () => {
  test('prints the address first, a member confirms the code in the console, and the key is theirs; whoami and logout', async (t) => {
    const home = await homeOf(t);
    const login = run(home, ['login', '--url', site.origin, '--browser']);
    const code = await codeOf(login);
    assert.equal(login.out.split('\n')[0], `${site.origin}/console/device`);
    assert.doesNotMatch(login.out, new RegExp(code));
    const tab = await site.tab(t, { as: 'member' });
    await tab.open('/device');
    await tab.accessible();
    await tab.page.getByRole('textbox', { name: 'Code' }).fill(code.toLowerCase().replace('-', ' '));
    await tab.page.getByRole('button', { name: 'Continue' }).click();
    const panel = tab.page.getByRole('region', { name: 'Allow this device?' });
    await panel.getByText('127.0.0.1, your network').waitFor();
    await panel.getByText('member@acme.test, member of acme').waitFor();
    await panel.getByText('after 30d').waitFor();
    await tab.accessible();
    assert.equal(login.code, null, 'nothing was given to anybody yet');
    await panel.getByRole('button', { name: 'Allow' }).click();
    await tab.page.getByText('The device is logged in.').waitFor();
    await until(() => login.code !== null, 30_000);
    assert.equal(login.code, 0, login.err);
    assert.match(login.err, /^Logged in at \S+ as member@acme\.test, member of account acme\. /m);
    const file = join(home, 'doorward/credentials.json');
    const kept = JSON.parse(await readFile(file, 'utf8')) as { apiKey: string };
    assert.match(kept.apiKey, /^dw_/);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    assert.ok(!`${login.out}${login.err}`.includes(kept.apiKey), 'the key is shown nowhere');

    const whoami = await ended(run(home, ['whoami', '--json']));
    const who = JSON.parse(whoami.out) as CallerObject & { readonly server: string };
    assert.deepEqual(
      [who.server, who.kind, who.role, who.scope, who.account.name, who.member?.email],
      [site.origin, 'api_key', 'member', 'full', 'acme', 'member@acme.test'],
    );
    const days = (Date.parse(who.expiresAt ?? '') - Date.now()) / 86_400_000;
    assert.ok(days > 29.9 && days <= 30, String(days));
    assert.match((await ended(run(home, ['whoami']))).out, /^server +http[^]*member +member@acme.test\n/);

    const { items } = await site.service.client.auditEvents.list({
      kind: ['device_login.allowed', 'api_key.created', 'api_key.deleted'],
      order: 'newest',
    });
    assert.deepEqual(
      items.slice(0, 2).map((each) => [each.kind, each.actor === `member:${who.member?.id}`]),
      [
        ['api_key.created', true],
        ['device_login.allowed', true],
      ],
    );
    assert.equal(items[0]?.reason, who.apiKey?.name);

    const logout = await ended(run(home, ['logout']));
    assert.deepEqual([logout.code, logout.out], [0, '']);
    assert.match(logout.err, /^Logged out of .*\. The API key is deleted\.\n$/);
    await assert.rejects(stat(file), { code: 'ENOENT' });
    const refused = await fetch(`${site.origin}/v1/status`, {
      headers: { authorization: `Bearer ${kept.apiKey}` },
    });
    assert.equal(refused.status, 401);
    const again = await ended(run(home, ['logout', '--json']));
    assert.deepEqual(JSON.parse(again.out), { url: null, revoked: false });
    tab.noTrouble();
  });

  test('the member sees the key of the device under "My access", and deletes it there', async (t) => {
    const home = await homeOf(t);
    const login = run(home, ['login', '--url', site.origin, '--browser']);
    const code = await codeOf(login);
    const tab = await site.tab(t, { as: 'member' });
    await tab.open('/device');
    await tab.page.getByRole('textbox', { name: 'Code' }).fill(code);
    await tab.page.getByRole('button', { name: 'Continue' }).click();
    await tab.page.getByRole('button', { name: 'Allow' }).click();
    await until(() => login.code !== null, 30_000);
    const whoami = await ended(run(home, ['whoami', '--json']));
    const { apiKey } = JSON.parse(whoami.out) as CallerObject;
    await tab.open('/me');
    const keys = tab.page.getByRole('region', { name: 'Your API keys' });
    await keys.getByRole('rowheader', { name: apiKey?.name ?? '' }).waitFor();
    await tab.accessible();
    await keys.getByRole('button', { name: `Delete the key ${apiKey?.name}` }).click();
    await tab.page.getByRole('button', { name: 'Delete it' }).click();
    await keys.getByRole('rowheader', { name: apiKey?.name ?? '' }).waitFor({ state: 'detached' });
    assert.notEqual((await ended(run(home, ['whoami']))).code, 0);
  });

  test('a login that is denied gives nothing', async (t) => {
    const home = await homeOf(t);
    const login = run(home, ['login', '--url', site.origin, '--browser', '--json', '--scope', 'read']);
    const code = await codeOf(login);
    const tab = await site.tab(t);
    await tab.open('/device');
    await tab.page.getByRole('textbox', { name: 'Code' }).fill(code);
    await tab.page.getByRole('button', { name: 'Continue' }).click();
    await tab.page.getByText('read only').waitFor();
    await tab.page.getByRole('button', { name: 'Deny' }).click();
    await tab.page.getByText('The login was denied.').waitFor();
    await until(() => login.code !== null, 30_000);
    assert.deepEqual([login.code, login.out], [4, '']);
    assert.match(login.err, /"code":"access_denied"/);
    await assert.rejects(stat(join(home, 'doorward/credentials.json')), { code: 'ENOENT' });
  });

  test('a decision that is refused says so, with the buttons still there', async (t) => {
    const code = await codeBegun('a laptop');
    const [first, second] = [await site.tab(t), await site.tab(t)];
    for (const { page } of [first, second]) {
      await page.goto(`${site.origin}/console/device`);
      await page.getByRole('textbox', { name: 'Code' }).fill(code);
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('region', { name: 'Allow this device?' }).waitFor();
    }
    await first.page.getByRole('button', { name: 'Deny' }).click();
    await first.page.getByText('The login was denied.').waitFor();
    for (const name of ['Deny', 'Allow'] as const) {
      await second.page.getByRole('button', { name }).click();
      const alert = second.page
        .getByRole('alert')
        .getByText('Cannot find a device login: no device shows this code');
      await alert.waitFor();
      assert.equal(await alert.count(), 1, name);
      assert.ok(await second.page.getByRole('button', { name: 'Deny' }).isEnabled());
    }
    await second.accessible();
  });

  test('whoever is not logged in logs in first, and comes back to the code', async (t) => {
    const tab = await site.tab(t, { as: null });
    await tab.page.goto(`${site.origin}/console/device`);
    await tab.page.getByText('Then you can confirm').waitFor();
    assert.equal(await tab.page.getByText('Log in with an API key').count(), 0);
  });

  test('what a device calls itself is text, however long, and nothing else (THREATS "Pages")', async (t) => {
    const code = await codeBegun('<img src=x onerror=alert(1)>\u202e{{7*7}}');
    const tab = await site.tab(t);
    // Whatever a link brings along is not taken for a code.
    await tab.open(`/device?user_code=${code}#${code}`);
    assert.equal(await tab.page.getByRole('textbox', { name: 'Code' }).inputValue(), '');
    await tab.page.getByRole('textbox', { name: 'Code' }).fill(code);
    await tab.page.getByRole('button', { name: 'Continue' }).click();
    await tab.page.getByText('<img src=x onerror=alert(1)>{{7*7}}', { exact: true }).waitFor();
    tab.noTrouble();
  });

  test('a code that nothing shows is refused', async (t) => {
    const tab = await site.tab(t);
    await tab.open('/device');
    await tab.page.getByRole('textbox', { name: 'Code' }).fill('BCDF-GHJK');
    await tab.page.getByRole('button', { name: 'Continue' }).click();
    await tab.page
      .getByRole('alert')
      .getByText('Cannot find a device login: no device shows this code')
      .waitFor();
  });

  test('on a terminal, Enter instead of an API key begins it', async (t) => {
    const home = await homeOf(t);
    const env = { HOME: home, XDG_CONFIG_HOME: home };
    const answers = [
      { asked: /API key \(press Enter to log in with a browser\): /, typed: '\n' },
      { asked: /Ctrl\+C cancels\./, typed: '\u0003' },
    ];
    const { shown } = await doorwardInTerminal(['login', '--url', site.origin], { env, answers });
    assert.match(shown, new RegExp(`${site.origin}/console/device\n[^]*\n {2}[A-Z]{4}-[A-Z]{4}\n`));
  });
});

type Run = { out: string; err: string; code: number | null };

function run(home: string, words: readonly string[]): Run {
  const child = spawn(process.execPath, [FRONT_DOOR, ...words], {
    env: { ...compiled(), HOME: home, XDG_CONFIG_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 120_000,
  });
  const state: Run = { out: '', err: '', code: null };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (state.out += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (state.err += text));
  child.on('close', (code) => (state.code = code ?? -1));
  return state;
}

/** The code of a login that a device of that name began. */
async function codeBegun(name: string): Promise<string> {
  const answer = await fetch(`${site.origin}/auth/device`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'doorward-cli', device_name: name }),
  });
  return ((await answer.json()) as { readonly user_code: string }).user_code;
}

async function ended(state: Run): Promise<Run> {
  await until(() => state.code !== null, 30_000);
  return state;
}

async function codeOf(state: Run): Promise<string> {
  await until(() => /\n {2}[A-Z]{4}-[A-Z]{4}\n/.test(state.err) || state.code !== null, 30_000);
  const code = /\n {2}([A-Z]{4}-[A-Z]{4})\n/.exec(state.err)?.[1];
  assert.ok(code, state.err);
  return code;
}

async function homeOf(t: TestContext): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'doorward-device-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  return home;
}
