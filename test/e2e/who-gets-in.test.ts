// Recipes of docs/how-to/who-gets-in.md, typed as the page has them, at a whole service: what visitors and
// programs get.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import { documentedRecipes } from '../support/documented-rules.ts';
import { callDoorward } from '../support/doorward.ts';
import { callGate, type TestCall } from '../support/gate.ts';
import { startTestService, type TestService } from '../support/service.ts';

const HOOKS = 'hooks.share.localhost';

const recipes = documentedRecipes();
let service: TestService;

before(async () => {
  service = await startTestService({ corp: { groups_claim: 'groups' } });
});
after(() => service?.close());

for (const form of ['rule file', 'options'] as const)
  test(`recipe "A group", by ${form}: the group gets in, others and untold groups do not`, async () => {
    const { file, options } = recipes.get('A group')!;
    const name = form === 'options' ? 'group-options' : 'group-rules';
    const url = await createShare(name, form === 'options' ? options! : ruleFile(name, file));
    const email = 'ann@example.com';
    const account = service.idp.account(email);
    for (const [claims, status] of [
      [{ groups: ['eng-web', 'all'] }, 200],
      [{ groups: ['all'] }, 403],
      [{}, 403],
    ] as const) {
      account.claims = claims;
      const { last } = await walkLogin(service.browser(), url, { email });
      assert.equal(last.status, status, JSON.stringify(claims));
    }
  });

test('recipe "Webhooks, by POST only": POST gets through to these paths, and nothing else does', async () => {
  const { file } = recipes.get('Webhooks, by POST only')!;
  await createShare('hooks', ruleFile('hooks', file));
  assert.equal(await statusOf({ host: HOOKS, method: 'POST', path: '/hooks/ci' }), 200);
  assert.equal(await statusOf({ host: HOOKS, method: 'GET', path: '/hooks/ci' }), 302);
  assert.equal(await statusOf({ host: HOOKS, method: 'POST', path: '/Hooks/ci' }), 401);
  assert.equal(await statusOf({ host: HOOKS, method: 'POST', path: '/hooks/..%2fadmin' }), 400);
});

test('recipe "A service token for a deploy bot": the token opens its paths by POST, others get 401 or 403', async () => {
  const { file } = recipes.get('A service token for a deploy bot')!;
  await createShare('deploy', ruleFile('deploy', file));
  const [bot, other] = [await makeToken('deploy-bot'), await makeToken('reader')];
  assert.equal(await statusOf(byToken(bot.token, 'POST', '/api/deploy/web')), 200);
  assert.equal(await statusOf(byToken(bot.token, 'GET', '/api/deploy/web')), 403);
  assert.equal(await statusOf(byToken(bot.token, 'POST', '/api/users')), 403);
  assert.equal(await statusOf(byToken(other.token, 'POST', '/api/deploy/web')), 403);
  assert.equal(await statusOf(byToken(`${bot.token}x`, 'POST', '/api/deploy/web')), 401);
});

test('docs/how-to/who-gets-in.md: beside a login, a rule file adds people; with `--no-oauth` it decides alone', async () => {
  const url = await createShare('wiki', ['--target', 'http://10.0.0.5:8080', '--oauth-provider', 'corp']);
  const { file } = recipes.get('Everybody of a domain')!;
  const [, , ...rules] = ruleFile('wiki', file);
  for (const [words, status] of [
    [rules, 200],
    [['--no-oauth', ...rules], 403],
  ] as const) {
    await typed(['share', 'modify', 'wiki', ...words]);
    const { last } = await walkLogin(service.browser(), url, { email: 'eve@elsewhere.test' });
    assert.equal(last.status, status, words.join(' '));
  }
  const { last } = await walkLogin(service.browser(), url, { email: 'ann@example.com' });
  assert.equal(last.status, 200);
});

function makeToken(name: string) {
  return service.client.serviceTokens.create({ name, shares: ['deploy'], expiresIn: '1h' });
}

function byToken(token: string, method: string, path: string): TestCall {
  return { host: 'deploy.share.localhost', method, path, headers: { 'svc-auth-token': token } };
}

async function statusOf(call: TestCall): Promise<number> {
  return (await callGate(service.ports.gateway, call)).status;
}

/** The words after `share create wiki`; the target is the backend of this service. */
async function createShare(name: string, words: readonly string[]): Promise<string> {
  const own = words.map((word) => (word === 'http://10.0.0.5:8080' ? service.backend.url : word));
  const out = await typed(['share', 'create', name, ...own]);
  return out.split('\n', 1)[0] ?? '';
}

async function typed(words: readonly string[]): Promise<string> {
  const { code, out, err } = await callDoorward(words, {
    env: {
      DOORWARD_URL: `http://127.0.0.1:${service.ports.control}`,
      DOORWARD_API_KEY: service.apiKey,
    },
  });
  assert.equal(code, 0, err);
  return out;
}

function ruleFile(name: string, text: string): readonly string[] {
  const file = join(service.folder, `${name}.yaml`);
  writeFileSync(file, text);
  return ['--target', 'http://10.0.0.5:8080', '--rule-file', file];
}
