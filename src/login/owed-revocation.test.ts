import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Secret } from '../domain/secret.ts';
import type { Provider } from '../providers/provider.ts';
import type { OwedRevocation } from '../store/sessions/owed-revocation.ts';
import { judgeOwed } from './owed-revocation.ts';

test('judgeOwed() waits for other sessions of the person, but not where they lose nothing or this one was meant (4.2)', () => {
  const corp = { name: 'corp' } as Provider;
  const apart = { name: 'apart', revokesTheseAlone: true } as Provider;
  const cases: readonly (readonly [OwedRevocation, Provider | undefined, string])[] = [
    [owed({}), corp, 'ask'],
    [owed({ tokens: null }), corp, 'over'],
    [owed({}), undefined, 'failed'],
    [owed({ hasOthers: true }), corp, 'wait'],
    [owed({ hasOthers: true }), apart, 'ask'],
    [owed({ hasOthers: true, endReason: 'logout' }), corp, 'ask'],
    [owed({ hasOthers: true, endReason: 'ended_by_admin' }), corp, 'ask'],
    [owed({ hasOthers: true, endReason: 'ended_by_person' }), corp, 'ask'],
    [owed({ hasOthers: true, endedAt: NOW - DAY_MS }), corp, 'wait'],
    [owed({ hasOthers: true, endedAt: NOW - DAY_MS, refreshToken: null }), corp, 'over'],
    [owed({ hasOthers: true, endedAt: NOW - DAY_MS + 1, refreshToken: null }), corp, 'wait'],
    [owed({ endedAt: NOW - 9 * DAY_MS, refreshToken: null }), corp, 'ask'],
  ];
  for (const [each, provider, outcome] of cases) assert.equal(judgeOwed(each, provider, NOW), outcome);
});

function owed({
  tokens,
  hasOthers = false,
  endedAt = NOW,
  endReason = 'replaced',
  refreshToken = new Secret('refresh'),
}: {
  readonly tokens?: null;
  readonly hasOthers?: boolean;
  readonly endedAt?: number;
  readonly endReason?: string;
  readonly refreshToken?: Secret | null;
}): OwedRevocation {
  const held = { accessToken: new Secret('access'), refreshToken, idToken: null, subject: null };
  return {
    row: { endedAt, endReason, expiresAt: NOW } as OwedRevocation['row'],
    tokens: tokens === null ? null : held,
    fence: 1,
    hasOthers,
  };
}

const NOW = Date.UTC(2030, 0, 1);
const DAY_MS = 24 * 60 * 60_000;
