// What a person is told of how a share is protected.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ShareObject } from '../../../wire/share.ts';
import { Secret } from '../../../domain/secret.ts';
import { createPersonView } from './person-view.ts';

const OPEN: ShareObject = {
  id: 'shr_1',
  name: 'demo',
  url: 'https://demo.share.example.com',
  target: null,
  tunnel: 'reserved',
  hosts: ['demo.share.example.com'],
  oauthProvider: null,
  oauthEmailAddressPatterns: [],
  oauthCheckInterval: null,
  clientCertificate: null,
  open: true,
  access: 'all',
  allowOrigins: [],
  allowGroups: [],
  allowPaths: [],
  allowAddresses: [],
  accessRequests: false,
  behind: false,
  denyEmails: [],
  rules: [],
  identity: [],
  hostHeader: null,
  owner: null,
  description: null,
  icon: null,
  listed: true,
  enabled: true,
  agentSeenAt: null,
  createdAt: '2026-01-01T00:00:00Z',
  updatedAt: '2026-01-01T00:00:00Z',
};

function told(share: ShareObject): string {
  let text = '';
  const tell = (more: string): void => void (text += more);
  const terminal = { out: tell, err: tell, env: {}, readSecret: async () => new Secret('') };
  const view = createPersonView(terminal, { quiet: false, qr: false, now: () => 0 });
  view.ready(share, { text: 'http://127.0.0.1:3000', listening: true });
  return text;
}

test('the person’s view calls a share open that has neither login nor certificate, and no other (3)', () => {
  assert.match(told(OPEN), /^login +none: open to everyone$[^]*^warning: this share is open to everyone/m);
  const certificate = told({
    ...OPEN,
    open: false,
    clientCertificate: { required: true, subject: 'build-*', unit: null },
  });
  assert.match(certificate, /^login +certificate\ncertificate +named build-\*$/m);
  assert.doesNotMatch(certificate, /everyone/);
  assert.doesNotMatch(
    told({ ...OPEN, open: false, oauthProvider: 'corp', oauthCheckInterval: '3h' }),
    /everyone/,
  );
});

test('the person’s view names the rule that opens a share, whatever login it has (DESIGN "Rules")', () => {
  const rules = [{ allow: { tokens: ['ci'] } }, { allow: { everyone: true } }] as const;
  const text = told({ ...OPEN, oauthProvider: 'corp', rules });
  assert.match(text, /^login +corp, and open to everyone by its rules$/m);
  assert.match(
    text,
    /^warning: this share is open [^\n]*; rule 2 allows everyone: give it another condition$/m,
  );
});
