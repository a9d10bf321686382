import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessRuleDocument } from '../../../domain/access-rule.ts';
import type { ShareObject } from '../../../wire/share.ts';
import { requestsTo, shownRequest } from './shown-request.ts';
import type { ShownRequest } from './view.ts';

const SERVED = {
  head: { method: 'GET', path: '/' },
  outcome: { status: 0, fault: 'backend_down' as const },
  durationMs: 1.6,
  email: 'ada@example.com',
};

test('shownRequest() takes no email from where nobody logs in (2.6)', () => {
  assert.deepEqual(shownRequest(SERVED, { oauthProvider: null }, 7), {
    at: 7,
    method: 'GET',
    path: '/',
    status: 502,
    durationMs: 2,
    email: null,
    fault: 'backend_down',
  });
  assert.equal(shownRequest(SERVED, { oauthProvider: 'corp' }, 7).email, 'ada@example.com');
  const emailWhere = (rules: readonly AccessRuleDocument[]) =>
    shownRequest(SERVED, { oauthProvider: null, rules }, 7).email;
  assert.equal(emailWhere([{ allow: { providers: ['corp'] } }]), 'ada@example.com');
  assert.equal(emailWhere([{ allow: { tokens: ['ci'] } }]), null);
});

test('requestsTo() asks for no requests where none is shown (--quiet)', () => {
  const shown: ShownRequest[] = [];
  assert.equal(requestsTo({ request: null }), null);
  requestsTo({ request: (request) => shown.push(request) })?.(SERVED, { oauthProvider: null } as ShareObject);
  assert.deepEqual(
    shown.map(({ path }) => path),
    ['/'],
  );
});
