import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FACTS, LOGIN, NOW, PROVIDER, SESSION, SHARE } from '../../test/support/decision-rows.ts';
import { shareLogin } from '../../test/support/share-login.ts';
import { decide } from './decision.ts';
import { loginRefusal } from './login-admission.ts';
import { NO_FACTS } from './session-facts.ts';
import type { Share } from './share.ts';

function shareOf(emailPatterns: readonly string[], own: readonly string[] = []): Share {
  const provider = { ...PROVIDER, emailPatterns: own };
  return { ...SHARE, login: shareLogin({ ...LOGIN, provider, emailPatterns }) };
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

function isLetIn(share: Share, email: string): boolean {
  const id = `ses_${email}` as const;
  return decide(share, { ...SESSION, id, email }, FACTS, NOW).kind === 'forward';
}

test('decide() asks the patterns once for a share and a session', () => {
  const { list, looked } = watched(['*@corp.com']);
  const share = shareOf(list);
  assert.equal(isLetIn(share, 'ann@corp.com'), true);
  const once = looked();
  for (let request = 0; request < 100; request++) assert.equal(isLetIn(share, 'ann@corp.com'), true);
  assert.equal(looked(), once);
});

test('decide() forgets its answers when the share or its provider changes', () => {
  const before = shareOf(['*@corp.com']);
  assert.equal(isLetIn(before, 'ann@corp.com'), true);
  assert.equal(isLetIn(shareOf(['bob@*']), 'ann@corp.com'), false);
  assert.equal(isLetIn(shareOf(['*@corp.com'], ['bob@*']), 'ann@corp.com'), false);
  assert.equal(
    isLetIn({ ...before, login: shareLogin({ ...LOGIN, provider: null }) }, 'ann@corp.com'),
    false,
  );
  assert.equal(isLetIn(before, 'ann@corp.com'), true);
});

test('decide() answers rightly, whoever asks, when more was asked than is remembered', () => {
  const share = shareOf(['a*@corp.com']);
  for (let index = 0; index < 60_000; index++)
    assert.equal(isLetIn(share, `${index % 2 === 0 ? 'a' : 'b'}${index}@corp.com`), index % 2 === 0);
});

test('loginRefusal() says why a login opens nothing: no pattern, no rule, or a provider that is gone', () => {
  const ann = { provider: PROVIDER.name, email: 'ann@corp.com' };
  assert.equal(loginRefusal(shareOf(['*@corp.com']), ann), null);
  assert.equal(loginRefusal(shareOf(['bob@*']), ann), 'email_refused');
  assert.equal(loginRefusal(shareOf([], ['bob@*']), ann), 'email_refused');
  assert.equal(loginRefusal(shareOf([]), { ...ann, provider: 'other' }), 'email_refused');
});

test('loginRefusal() refuses no login for being too weak: the next one is asked to be stronger (5.5)', () => {
  const rules = [{ allow: { providers: [PROVIDER.name], groups: ['eng'], acr: ['gold'], max_age: '1h' } }];
  const share: Share = {
    ...SHARE,
    login: { ...shareLogin({ ...LOGIN, emailPatterns: [] }), named: [] },
    rules,
  };
  const ann = { provider: PROVIDER.name, email: 'ann@corp.com' };
  const inGroups = (groups: readonly string[], acr: string | null) =>
    loginRefusal(share, { ...ann, facts: { ...NO_FACTS, groups, acr } });
  assert.deepEqual(
    [inGroups(['eng'], 'gold'), inGroups(['eng'], 'silver'), inGroups(['eng'], null)],
    [null, null, null],
  );
  assert.deepEqual([inGroups([], 'gold'), inGroups(['ops'], null)], ['rule_refused', 'rule_refused']);
});
