import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessRuleDocument } from '../../../domain/access-rule.ts';
import { shownRequest } from './shown-request.ts';
import { visitorEmail } from './visitor-email.ts';

const OURS = [
  'svc-auth-provider',
  'corp',
  'svc-auth-email',
  'ada@example.com',
  'svc-auth-assertion',
  'x.y.z',
];

test('visitorEmail() reads the gateway’s identity headers, under any prefix (2.6)', () => {
  assert.equal(visitorEmail(['host', 'demo', ...OURS, 'te', 'trailers']), 'ada@example.com');
  assert.equal(visitorEmail(OURS.map((text) => text.replace('svc-auth-', 'x-id-'))), 'ada@example.com');
  assert.equal(visitorEmail(['host', 'demo']), null);
  assert.equal(visitorEmail([]), null);
});

test('visitorEmail() is not taken in by what a visitor sends (THREATS "Header smuggling")', () => {
  const eve = ['x-provider', 'evil', 'x-email', 'eve@evil.test', 'x-assertion', 'forged'];
  assert.equal(visitorEmail([...eve, ...OURS]), 'ada@example.com');
  assert.equal(visitorEmail(['a', 'svc-auth-assertion', 'b', 'assertion', ...OURS]), 'ada@example.com');
});

test('shownRequest() takes no email from where nobody logs in (2.6)', () => {
  const head = { method: 'GET', path: '/', headers: OURS, webSocket: false, hasBody: false };
  const served = { head, outcome: { status: 0, fault: 'backend_down' as const }, durationMs: 1.6 };
  assert.deepEqual(shownRequest(served, { oauthProvider: null }, 7), {
    at: 7,
    method: 'GET',
    path: '/',
    status: 502,
    durationMs: 2,
    email: null,
    fault: 'backend_down',
  });
  assert.equal(shownRequest(served, { oauthProvider: 'corp' }, 7).email, 'ada@example.com');
  const emailWhere = (rules: readonly AccessRuleDocument[]) =>
    shownRequest(served, { oauthProvider: null, rules }, 7).email;
  assert.equal(emailWhere([{ allow: { providers: ['corp'] } }]), 'ada@example.com');
  assert.equal(emailWhere([{ allow: { tokens: ['ci'] } }]), null);
});
