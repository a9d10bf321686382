// The share, session and request that the tests of `decide()` change in one place a row.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decide, type Decision, type LoginReason, type RequestFacts } from '../../src/domain/decision.ts';
import { providerGeneration, type ProviderRef } from '../../src/domain/provider-ref.ts';
import type { LiveSession } from '../../src/domain/session.ts';
import type { Share } from '../../src/domain/share.ts';
import { type OneLogin, shareLogin } from './share-login.ts';
import { unsetSettings } from './share-settings.ts';

export const NOW = Date.UTC(2030, 0, 1, 12);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

export const PROVIDER: ProviderRef = {
  name: 'corp',
  type: 'oidc',
  generation: providerGeneration({
    name: 'corp',
    type: 'oidc',
    issuer: 'https://id.example.com',
    clientId: 'doorward',
  }),
  accountId: null,
  emailPatterns: [],
};
export const LOGIN: OneLogin = {
  providerName: 'corp',
  provider: PROVIDER,
  emailPatterns: [],
  checkIntervalMs: 3 * HOUR,
};
export const SHARE: Share = {
  id: 'shr_1',
  accountId: 'acc_1',
  name: 'demo',
  hosts: ['demo.share.example.com'],
  target: 'http://127.0.0.1:3000',
  login: shareLogin(LOGIN),
  ...unsetSettings(),
};
export const SESSION: LiveSession = {
  id: 'ses_1',
  shareId: SHARE.id,
  providerGeneration: PROVIDER.generation,
  email: 'ann@corp.com',
  expiresAt: NOW + 6 * HOUR,
  bindingHash: 'binding',
  subject: 'sub-1',
  checkedAt: NOW - HOUR,
  refreshable: true,
  confirmed: true,
  ended: false,
};
export const FACTS: RequestFacts = {
  method: 'GET',
  path: '/',
  address: '192.0.2.1',
  upgrade: false,
  fetchSite: null,
  fetchMode: null,
  fetchDest: null,
  purpose: null,
  referer: null,
  origin: null,
  ownOrigin: 'https://demo.share.example.com',
  secure: true,
  bindingHash: 'binding',
  certificate: null,
  token: null,
};
export const FORWARD = { kind: 'forward', session: SESSION, checkSoon: false };
export const FOREIGN = { kind: 'refuse', code: 'foreign_origin', email: null };
export const OWN = FACTS.ownOrigin;
export const SIBLING = 'https://evil.share.example.com';
export const ALLOWED = 'https://app.example.com';

type Row = {
  readonly name: string;
  readonly share?: Partial<Share>;
  readonly login?: Partial<OneLogin>;
  readonly session?: Partial<LiveSession> | null;
  readonly facts?: Partial<RequestFacts>;
  /** The kind alone, or the members to compare. */
  readonly expected: Decision['kind'] | Readonly<Record<string, unknown>>;
};

export function runRows(rows: readonly Row[]): void {
  for (const row of rows) test(row.name, () => checkRow(row));
}

function checkRow(row: Row): void {
  const share: Share = { ...SHARE, login: shareLogin({ ...LOGIN, ...row.login }), ...row.share };
  const session = row.session === null ? null : { ...SESSION, ...row.session };
  const decision = decide(share, session, { ...FACTS, ...row.facts }, NOW);
  const expected = typeof row.expected === 'string' ? { kind: row.expected } : row.expected;
  assert.deepEqual({ ...decision, ...expected }, decision);
}

export function login(reason: LoginReason) {
  return { kind: 'login', reason };
}
