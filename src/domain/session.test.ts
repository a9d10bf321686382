import assert from 'node:assert/strict';
import { test } from 'node:test';
import { liveSession, type Session, type SessionState } from './session.ts';

const SESSION: Session = {
  id: 'ses_1',
  shareId: 'shr_1',
  providerGeneration: 'corp 1',
  email: 'ada@example.com',
  expiresAt: 3,
  bindingHash: null,
};
const STATE: Required<SessionState> = {
  id: 'ses_1',
  subject: 'ada',
  checkedAt: 2,
  refreshable: true,
  confirmed: true,
  ended: false,
  emailVerified: true,
  facts: { groups: ['a'], claims: {}, acr: null, amr: [], authTime: null, name: null },
};

test('liveSession() is all of the session and all of its state, and no more (contract 2.5)', () => {
  const { emailVerified, facts, ...least } = STATE;
  for (const state of [STATE, least, { ...least, emailVerified }, { ...least, facts }]) {
    const live = liveSession(SESSION, state);
    assert.deepEqual(live, { ...SESSION, ...state });
    assert.deepEqual(Object.keys(live).toSorted(), Object.keys({ ...SESSION, ...state }).toSorted());
  }
});
