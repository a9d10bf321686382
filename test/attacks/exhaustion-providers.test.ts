// THREATS "Exhaustion" by the providers of one account: what they say takes neither the memory nor the time
// of everybody. Anybody can have them asked, by starting a login.

import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createProviderBook, type ProviderBook } from '../../src/control/feed/provider-book.ts';
import { newId } from '../../src/domain/id.ts';
import type { ProviderDefinition } from '../../src/domain/provider-definition.ts';
import { Secret } from '../../src/domain/secret.ts';
import type { UsableDefinition } from '../../src/store/providers/definition.ts';
import { sendJson, startLoopbackServer } from '../support/providers/loopback-server.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const START = {
  redirectUri: 'https://auth.example.com/given/auth/callback',
  state: 'state',
  nonce: 'nonce',
  codeVerifier: 'v'.repeat(43),
  selectAccount: false,
};

test('Exhaustion: the metadata of an account’s providers take little memory, also of those that were replaced', async (t) => {
  const rows = Array.from({ length: 4_500 }, () => ({}));
  const idp = await startProvider(t, { 'x-rows': rows, 'x-text': 'y'.repeat(80_000) });
  const { book } = idp;
  const definitions = Array.from({ length: 60 }, (_, number) => define(`given-${number}`, idp.issuer));
  const metadataOf = async (name: string) => {
    const url = await book.find(name)?.authorizeUrl(START);
    assert.match(url?.href ?? '', /^http:\/\/127\.0\.0\.1:\d+\/authorize\?/);
  };
  book.useDefinitions([usable(define('first', idp.issuer)), ...definitions.map(usable)]);
  await metadataOf('first');
  const before = heapUsed();
  for (const { name } of definitions) await metadataOf(name);
  for (const { name } of definitions.slice(0, 20)) {
    const changed = {
      ...define(name, idp.issuer),
      config: { ...CONFIG, issuerUrl: idp.issuer, clientId: 'x' },
    };
    const former = definitions.find((each) => each.name === name);
    assert.ok(former);
    book.changeDefinitions([former.id, changed.id], [usable(changed)]);
    await metadataOf(name);
  }
  const grownMiB = (heapUsed() - before) / 2 ** 20;
  assert.ok(grownMiB < 8, `${grownMiB.toFixed(1)} MiB for 80 times ${idp.bytes} bytes`);
});

test('Exhaustion: metadata and key sets of an account’s providers are read up to 128 KiB and 20,000 parts', async (t) => {
  for (const more of [{ x: 'y'.repeat(131_072) }, { x: Array.from({ length: 21_000 }, () => 1) }]) {
    const { book, issuer } = await startProvider(t, more);
    book.useDefinitions([usable(define('given', issuer))]);
    await assert.rejects(async () => book.find('given')?.authorizeUrl(START), {
      name: 'ServiceError',
      code: 'provider_error',
    });
  }
});

async function startProvider(t: TestContext, more: object) {
  const server = await startLoopbackServer({});
  t.after(server.close);
  const issuer = server.origin;
  const document = {
    issuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    ...more,
  };
  server.handle((_request, response) => sendJson(response, 200, document));
  const book: ProviderBook = createProviderBook(Date.now);
  book.useConfigured(new Map(), { outboundAllow: ['127.0.0.1'], ownListeners: [] });
  return { issuer, book, bytes: JSON.stringify(document).length };
}

function usable(definition: ProviderDefinition): UsableDefinition {
  return { definition, openCredential: () => ({ clientSecret: new Secret('s') }) };
}

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

const accountId = newId('acc');
const CONFIG: ProviderDefinition['config'] = {
  clientId: 'c',
  issuerUrl: null,
  scopes: ['openid', 'email'],
  supportsPkce: true,
  prompt: null,
  requireVerifiedEmail: false,
  baseUrl: null,
  apiUrl: null,
  emailPatterns: [],
};

function define(name: string, issuerUrl: string): ProviderDefinition {
  const made = { version: 1, createdAt: 0, updatedAt: 0 };
  return { id: newId('prv'), accountId, name, type: 'OIDC', config: { ...CONFIG, issuerUrl }, ...made };
}
