import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isEmailAllowed } from './allowed-email.ts';
import type { ShareLogin } from './share.ts';

const PROVIDER = { name: 'corp', type: 'oidc', generation: 'g', accountId: null } as const;

function loginOf(emailPatterns: readonly string[], own: readonly string[] = []): ShareLogin {
  return {
    providerName: 'corp',
    provider: { ...PROVIDER, emailPatterns: own },
    emailPatterns,
    checkIntervalMs: 1,
  };
}

/** Patterns that say how often somebody looked at them. */
function watched(patterns: readonly string[]) {
  let looked = 0;
  const list = new Proxy(patterns, {
    get: (target, key, receiver) => {
      if (key === 'find') looked++;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { list, looked: () => looked };
}

test('isEmailAllowed() asks the patterns once for a share and an address', () => {
  const { list, looked } = watched(['*@corp.com']);
  const login = loginOf(list);
  for (let request = 0; request < 100; request++) {
    assert.equal(isEmailAllowed(login, 'ann@corp.com'), true);
    assert.equal(isEmailAllowed(login, 'eve@evil.org'), false);
  }
  assert.equal(looked(), 2);
});

test('isEmailAllowed() forgets its answers when the share or its provider changes', () => {
  const before = loginOf(['*@corp.com']);
  assert.equal(isEmailAllowed(before, 'ann@corp.com'), true);
  assert.equal(isEmailAllowed({ ...before, emailPatterns: ['bob@*'] }, 'ann@corp.com'), false);
  assert.equal(isEmailAllowed(loginOf(['*@corp.com'], ['bob@*']), 'ann@corp.com'), false);
  assert.equal(isEmailAllowed({ ...before, provider: null }, 'ann@corp.com'), false);
  assert.equal(isEmailAllowed(before, 'ann@corp.com'), true);
});

test('isEmailAllowed() answers rightly, whoever asks, when more was asked than is remembered', () => {
  const login = loginOf(['a*@corp.com']);
  for (let index = 0; index < 60_000; index++)
    assert.equal(isEmailAllowed(login, `${index % 2 === 0 ? 'a' : 'b'}${index}@corp.com`), index % 2 === 0);
});
