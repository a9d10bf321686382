// A login at several providers, as typed: visitors choose one, its conditions hold at each, and who logged in
// at a provider that leaves the list is logged out, nobody else (2.3; DESIGN "Rules").

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { walkLogin } from '../support/browser-by-hand.ts';
import { callDoorward } from '../support/doorward.ts';
import { loggedIn, startThreeProviders, type ThreeProviders } from '../support/three-providers.ts';

const EMAIL = 'ada@corp.example';
let rig: ThreeProviders;

before(async () => {
  rig = await startThreeProviders();
});
after(() => rig.close());

test('--oauth-provider, repeated: visitors choose, and the patterns hold at each provider (2.3, 5.1)', async () => {
  const { name, url, out } = await create('several', ['corp', 'goog'], [PATTERN, '*@corp.example']);
  assert.match(out, /^login +corp or goog$/m);
  assert.match(await doorward(['share', 'list']), /several .* corp or goog /);
  const asked = ['share', 'test', name, '--email', EMAIL];
  assert.match(await doorward(asked), /^allowed: /);
  assert.match(await doorward([...asked, '--provider', 'hub']), /^refused: /);
  for (const provider of ['corp', 'goog']) {
    for (const [email, status] of [
      [EMAIL, 200],
      ['ada@elsewhere.example', 403],
    ] as const) {
      const { last } = await logIn(url, provider, email);
      assert.equal(last.status, status, `${email} at ${provider}`);
      if (status === 200) assert.match(last.body, new RegExp(`"svc-auth-provider": ?"${provider}"`));
    }
  }
  const chooser = await rig.service.browser().follow(url);
  assert.deepEqual(offered(chooser.last.body), ['corp', 'goog']);
});

test('a provider that leaves the list takes its own sessions along, and no others (2.5)', async () => {
  const { name, url } = await create('leaving', ['corp', 'goog', 'hub']);
  const { browser: corp } = await logIn(url, 'corp', EMAIL);
  const { browser: goog } = await logIn(url, 'goog', EMAIL);
  await doorward(['share', 'modify', name, '--oauth-provider', 'hub', '--oauth-provider', 'corp']);
  assert.equal((await goog.open(url)).status, 302);
  assert.equal((await corp.open(url)).status, 200);
  const out = await doorward(['share', 'modify', name, '--oauth-provider', 'corp']);
  assert.match(out, /^login +corp$/m);
  assert.equal((await corp.open(url)).status, 200);
  const share = await rig.service.client.shares.show(name);
  assert.equal(share.oauthProvider, 'corp');
  // One provider is as ever: nobody is asked to choose.
  await loggedIn(rig.service, share, { email: EMAIL });
});

async function create(name: string, providers: readonly string[], more: readonly string[] = []) {
  const { url } = rig.service.backend;
  const words = providers.flatMap((provider) => ['--oauth-provider', provider]);
  const out = await doorward(['share', 'create', name, '--target', url, ...words, ...more]);
  return { name, out, url: out.split('\n', 1)[0]! };
}

async function logIn(url: string, provider: string, email: string) {
  const browser = rig.service.browser();
  const { last } = await browser.follow(url);
  const link = [...last.body.matchAll(LINK)].find(([, , name]) => name === provider)?.[1];
  assert.ok(link !== undefined, `the chooser offers ${provider}`);
  return { browser, ...(await walkLogin(browser, link, { email })) };
}

function offered(body: string): readonly (string | undefined)[] {
  return [...body.matchAll(LINK)].map(([, , name]) => name);
}

async function doorward(words: readonly string[]): Promise<string> {
  const { service } = rig;
  const env = {
    XDG_CONFIG_HOME: service.folder,
    DOORWARD_URL: `http://127.0.0.1:${service.ports.control}`,
    DOORWARD_API_KEY: service.apiKey,
  };
  const { out, err } = await callDoorward(words, { env });
  return out || err;
}

const PATTERN = '--oauth-email-address-pattern';
const LINK = /<li><a[^>]* href="(https?:\/\/[^"]*\/([a-z]+)\/login[^"]*)"/g;
