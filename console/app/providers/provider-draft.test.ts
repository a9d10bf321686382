// What the form of a provider sends: only what the kind has, only what differs, and never a secret that
// nobody typed.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ProviderObject } from '../../../src/wire/provider.ts';
import {
  draftChanges,
  draftOf,
  newDraft,
  newProvider,
  providerFields,
  withDraftChanges,
} from './provider-draft.ts';

const SSO: ProviderObject = {
  id: 'prv_1',
  name: 'sso',
  type: 'OIDC',
  config: {
    clientId: 'doorward',
    issuerUrl: 'https://id.example.com',
    scopes: ['openid', 'email'],
    supportsPkce: true,
    requireVerifiedEmail: false,
    prompt: 'login',
    emailPatterns: ['*@a.example'],
  },
  redirectUrl: 'https://auth.example.com/sso/auth/callback',
  lastLoginAt: null,
  lastTest: null,
  lastTrial: null,
  shares: 0,
  createdAt: '2030-01-31T09:00:00Z',
  updatedAt: '2030-01-31T09:00:00Z',
};

test('newProvider() sends what the kind has, and nothing else', () => {
  const draft = {
    ...newDraft('OIDC'),
    clientId: ' id ',
    clientSecret: ' s ',
    emailPatterns: '*@a.b\n\n c@d.e',
  };
  const common = { clientId: 'id', clientSecret: ' s ', emailPatterns: ['*@a.b', 'c@d.e'] };
  assert.deepEqual(newProvider('GOOGLE', ' g ', draft), { type: 'GOOGLE', name: 'g', config: common });
  assert.deepEqual(newProvider('GOOGLE', 'g', { ...draft, asksConsent: false }).config, {
    ...common,
    prompt: '',
  });
  assert.deepEqual(newProvider('GITHUB', 'h', { ...draft, baseUrl: 'https://git.example.com' }).config, {
    ...common,
    baseUrl: 'https://git.example.com',
  });
  assert.deepEqual(newProvider('OIDC', 'o', { ...draft, issuerUrl: 'https://id.example.com' }).config, {
    ...common,
    issuerUrl: 'https://id.example.com',
    scopes: ['openid', 'email', 'profile', 'offline_access'],
    supportsPkce: true,
    requireVerifiedEmail: true,
  });
});

test('newProvider() and draftChanges() send a private key in place of the secret, for OpenID Connect alone, and its id with it (2.4)', () => {
  const issuerUrl = 'https://id.example.com';
  const typed = { clientSecret: 'left over', clientPrivateKey: ' PEM\n', clientKeyId: ' k1 ' };
  const draft = { ...newDraft('OIDC'), issuerUrl, clientId: 'id', ...typed, credential: 'key' } as const;
  const { config } = newProvider('OIDC', 'o', draft);
  assert.deepEqual(
    [config.clientSecret, config.clientPrivateKey, config.clientKeyId],
    [undefined, 'PEM', 'k1'],
  );
  assert.ok(!('clientKeyId' in newProvider('OIDC', 'o', { ...draft, clientKeyId: ' ' }).config));
  assert.equal(newProvider('GITHUB', 'h', draft).config.clientPrivateKey, undefined);
  const untouched = { ...draftOf(SSO), credential: 'key' } as const;
  assert.equal(draftChanges(SSO, untouched), null);
  assert.deepEqual(draftChanges(SSO, { ...untouched, clientPrivateKey: 'PEM', clientSecret: 'left over' }), {
    clientPrivateKey: 'PEM',
  });
});

test('draftChanges() is null for an untouched form, and has only what differs', () => {
  const draft = draftOf(SSO);
  assert.equal(draft.clientSecret, '');
  assert.equal(draftChanges(SSO, draft), null);
  assert.deepEqual(draftChanges(SSO, { ...draft, prompt: '', scopes: 'openid email profile' }), {
    prompt: null,
    scopes: ['openid', 'email', 'profile'],
  });
  assert.deepEqual(draftChanges(SSO, { ...draft, prompt: '', asksConsent: false }), { prompt: '' });
  assert.deepEqual(draftChanges(SSO, { ...draft, clientSecret: 'new' }), { clientSecret: 'new' });
});

test('withDraftChanges() keeps what somebody else changed meanwhile, and the secret unless one was typed', () => {
  const theirs = { ...SSO, config: { ...SSO.config, emailPatterns: ['*@b.example'] } };
  const changes = draftChanges(SSO, { ...draftOf(SSO), prompt: '' });
  const { prompt: _prompt, ...config } = theirs.config;
  assert.deepEqual(withDraftChanges(theirs, changes ?? {}).config, config);
});

test('providerFields() tells that a secret or private key is new, and never which', () => {
  const mine = withDraftChanges(SSO, { clientSecret: 'hush', clientId: 'other' });
  assert.deepEqual(
    [providerFields(SSO)['Client secret'], providerFields(mine)['Client secret']],
    ['as it is', 'a new one'],
  );
  assert.equal(providerFields(mine)['Client ID'], 'other');
  const keyed = withDraftChanges(SSO, { clientPrivateKey: 'hush', clientKeyId: 'hush' });
  assert.deepEqual(
    [providerFields(keyed)['Client secret'], providerFields(keyed)['Private key']],
    ['as it is', 'a new one'],
  );
  assert.ok(!JSON.stringify([keyed, providerFields(keyed)]).includes('hush'));
  assert.ok(!JSON.stringify([mine, providerFields(mine)]).includes('hush'));
});

test('draftOf() leaves github.com out: it is what is meant when no server is named', () => {
  const hub: ProviderObject = {
    ...SSO,
    type: 'GITHUB',
    config: {
      clientId: 'x',
      baseUrl: 'https://github.com',
      apiUrl: 'https://api.github.com',
      emailPatterns: [],
    },
  };
  assert.deepEqual([draftOf(hub).baseUrl, draftOf(hub).apiUrl], ['', '']);
  assert.equal(draftChanges(hub, draftOf(hub)), null);
});
