// What the pages about members and keys say and conclude.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invitationText } from './invitation-text.ts';
import { expiryOf, keyWords, loginCommand } from './key-words.ts';
import { isLastAdmin } from './last-admin.ts';

test('isLastAdmin() counts admins who can act', () => {
  const ann = { id: 'mem_1', role: 'admin', state: 'active' } as const;
  const bob = { id: 'mem_2', role: 'admin', state: 'invited' } as const;
  const carol = { id: 'mem_3', role: 'member', state: 'active' } as const;
  assert.equal(isLastAdmin(ann, [ann, bob, carol]), true);
  assert.equal(isLastAdmin(ann, [ann, { ...bob, state: 'active' }]), false);
  assert.equal(isLastAdmin(bob, [ann, bob]), false);
  assert.equal(isLastAdmin(carol, [carol]), false);
});

test('invitationText() has the link on a line of its own, and says until when', () => {
  const url = 'https://control.example.com/auth/invitation#dwi_x';
  const text = invitationText({ account: 'acme', url, until: '2026-05-01T12:00:31.500Z' });
  assert.ok(text.split('\n').includes(`  ${url}`));
  assert.match(text, /until 2026-05-01 12:00 UTC\./);
  assert.match(text, /"acme"/);
});

test('keyWords() says what a key may', () => {
  assert.equal(keyWords({ role: 'admin', scope: 'full' }), 'all that an admin may');
  assert.equal(keyWords({ role: 'member', scope: 'full' }), 'all that a member may');
  assert.equal(keyWords({ role: 'admin', scope: 'read' }), 'read what an admin may');
  assert.equal(keyWords({ role: 'auditor', scope: 'read' }), 'read what an auditor may');
  assert.equal(keyWords({ role: 'member', scope: 'tunnel' }), 'only share ports');
});

test('expiryOf() tells a key that is over from one that is over soon', () => {
  const now = Date.parse('2026-05-01T00:00:00Z');
  const at = (days: number) => new Date(now + days * 86_400_000).toISOString();
  assert.equal(expiryOf(null, now), 'never');
  assert.equal(expiryOf(at(30), now), 'later');
  assert.equal(expiryOf(at(13), now), 'soon');
  assert.equal(expiryOf(at(-1), now), 'over');
});

test('loginCommand() names the service, and never the key', () => {
  assert.equal(
    loginCommand('https://control.example.com'),
    'doorward login --url https://control.example.com',
  );
});
