// `doorward provider create` and `doorward provider presets`, against a control API with a real store.

import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { startControl, type TestControl } from '../../../test/support/control.ts';
import { callDoorward, type Ended } from '../../../test/support/doorward.ts';
import { PRESET_IDS, presetOf } from '../../domain/provider-presets.ts';
import type { ProviderObject } from '../../wire/provider.ts';

let control: TestControl;
let folder: string;
let client: readonly string[];
before(async () => {
  control = await startControl();
  folder = await mkdtemp(join(tmpdir(), 'doorward-provider-'));
  client = ['--client-id', 'doorward', '--client-secret-file', await fileOf('secret.txt', 'hush, hush\n')];
});
after(async () => {
  await control[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

for (const id of PRESET_IDS) {
  const { title, issuer, settings, register } = presetOf(id);

  test(`provider create --preset ${id} defines a provider with the settings of ${title}, and says what to register there (2.4)`, async () => {
    const issuerUrl = issuer.replaceAll(/\{[\w-]+\}/g, 'example.com');
    const words = ['provider', 'create', id, '--preset', id, '--issuer-url', issuerUrl, ...client];
    const { code, out, err } = await doorward(...words);
    assert.equal(code, 0, err);
    const redirectUrl = out.split('\n')[0] ?? '';
    assert.match(redirectUrl, new RegExp(`/${id}/auth/callback$`));
    const { type, config } = await shown(id);
    const { clientId, emailPatterns: _none, ...rest } = config;
    assert.deepEqual([type, clientId, rest], ['OIDC', 'doorward', { ...settings, issuerUrl }]);
    assert.match(err, new RegExp(`At ${title}:\n  1\\. `));
    assert.match(err, new RegExp(`\n  ${register.length}\\. `));
    assert.ok(err.includes(redirectUrl));
    assert.match(
      out,
      new RegExp(`^verified addresses only +${settings.requireVerifiedEmail ? 'on' : 'off'}$`, 'm'),
    );
    assert.match(out, /^PKCE +on$/m);
    assert.doesNotMatch(out + err, /hush|\*\*|\]\(/);
  });
}

test('provider create takes options above the file and the preset, and any type by options alone (2.4)', async () => {
  const file = await fileOf('part.json', JSON.stringify({ name: 'filed', config: { prompt: 'login' } }));
  const preset = ['--preset', 'entra', '--issuer-url', 'https://id.example.com', '--require-verified-email'];
  const made = await doorward('provider', 'create', '--file', file, ...preset, ...client, '--json');
  assert.equal(made.code, 0, made.err);
  const { config } = JSON.parse(made.out) as ProviderObject;
  assert.deepEqual([config.prompt, config.requireVerifiedEmail], ['login', true]);
  assert.deepEqual(config.scopes, presetOf('entra').settings.scopes);
  const hub = await doorward('provider', 'create', 'hub', '--type', 'GITHUB', ...client);
  assert.equal(hub.code, 0, hub.err);
  assert.equal((await shown('hub')).config.baseUrl, 'https://github.com');
});

test('provider create takes a display name, and an icon by its name or as an image (2.4)', async () => {
  const image = await fileOf('acme.svg', '<svg xmlns="http://www.w3.org/2000/svg"/>');
  const hub = ['--type', 'GITHUB', ...client, '--display-name', 'Acme staff', '--json'];
  const drawn = await doorward('provider', 'create', 'drawn', ...hub, '--icon', 'building');
  const pictured = await doorward('provider', 'create', 'pictured', ...hub, '--icon', image);
  assert.deepEqual([drawn.code, pictured.code], [0, 0], drawn.err + pictured.err);
  const [first, second] = [drawn.out, pictured.out].map((out) => (JSON.parse(out) as ProviderObject).config);
  assert.deepEqual([first?.displayName, first?.icon], ['Acme staff', 'building']);
  assert.match(second?.icon ?? '', /^data:image\/svg\+xml;base64,[A-Za-z0-9+/]+={0,2}$/);
  const shownText = await doorward('provider', 'show', 'pictured');
  assert.match(shownText.out, /^icon +its own$/m);
  const text = await fileOf('icon.txt', 'no image');
  const large = await fileOf('large.png', 'x'.repeat(17_000));
  for (const icon of [text, 'bulding', large]) {
    const { code, err } = await doorward('provider', 'create', 'none', ...hub, '--icon', icon);
    assert.notEqual(code, 0);
    assert.match(err, /icon/);
  }
});

test('provider create refuses what no definition can be made of, and says what is missing (2.4)', async () => {
  const keycloak = ['--preset', 'keycloak', ...client];
  for (const [words, wanted] of [
    [['none', ...client], /no definition is given/],
    [
      ['none', ...keycloak],
      /Keycloak needs its issuer[^]*--issuer-url https:\/\/\{host\}\/realms\/\{realm\}/,
    ],
    [['none', ...keycloak, '--issuer-url', presetOf('keycloak').issuer], /needs its issuer/],
    [[...keycloak, '--issuer-url', 'https://id.example.com'], /it has no name/],
    [['none', '--preset', 'dial-up', ...client], /keycloak, entra, okta, gitlab, auth0, authentik/],
    [['none', '--type', 'GITHUB', ...keycloak], /cannot be used with/],
  ] as const) {
    const { code, err } = await doorward('provider', 'create', ...words);
    assert.deepEqual([code, wanted.test(err)], [2, true], err);
  }
  assert.equal((await control.call({ path: '/v1/auth-providers/none' })).status, 404);
});

test('provider presets lists every preset, and shows what one needs, without a server', async () => {
  const { out } = await doorward('provider', 'presets');
  for (const id of PRESET_IDS) {
    const { title, issuer } = presetOf(id);
    assert.ok(
      out.split('\n').some((line) => line.startsWith(id) && line.includes(title) && line.includes(issuer)),
      id,
    );
  }
  const okta = await doorward('provider', 'presets', 'okta');
  assert.match(okta.out, /^issuer +https:\/\/\{domain\}\.okta\.com\n/);
  assert.match(okta.out, /1\. Under "Applications" choose "Create App Integration"/);
  const json = await doorward('provider', 'presets', '--json');
  assert.deepEqual(Object.keys(JSON.parse(json.out) as object), PRESET_IDS);
});

async function shown(name: string): Promise<ProviderObject> {
  const { document } = await control.call({ path: `/v1/auth-providers/${name}` });
  return document as unknown as ProviderObject;
}

async function fileOf(name: string, content: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, content);
  return file;
}

function doorward(...words: readonly string[]): Promise<Ended> {
  return callDoorward(words, {
    env: {
      HOME: '/nonexistent',
      DOORWARD_URL: control.url.origin,
      DOORWARD_API_KEY: control.alice.apiKey.reveal(),
    },
  });
}
