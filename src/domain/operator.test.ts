import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isOperator } from './operator.ts';

const OPERATORS = [{ provider: 'corp', email: 'ops@example.com' }];
const PERSON = {
  provider: 'corp',
  generation: 'g',
  subject: 's',
  email: 'ops@example.com',
  emailVerified: true,
};

test('isOperator() goes by a verified address at the very provider that the configuration names', () => {
  assert.equal(of({}), true);
  assert.equal(of({ email: 'Ops@Example.com' }), true);
  assert.equal(of({}, null, []), false, 'nobody unless named');
  assert.equal(of({ emailVerified: false }), false);
  assert.equal(of({ provider: 'google' }), false);
  assert.equal(of({ email: 'ops@example.com.evil.test' }), false);
  assert.equal(of({ email: 'xops@example.com' }), false);
  assert.equal(of({}, 'acc_1'), false, 'a definition of an account with that name');
});

test('isOperator() takes no address that only looks like the one that is named', () => {
  for (const email of [
    'ops+x@example.com',
    'o.ps@example.com',
    'ops@example.com.',
    ' ops@example.com',
    'op\u017f@example.com',
    '\uff4fps@example.com',
    '\u043eps@example.com',
    'ops\u200d@example.com',
    'ops@exam\u00adple.com',
    'ops@example\u3002com',
  ])
    assert.equal(of({ email }), false, JSON.stringify(email));
  const kelvin = [{ provider: 'corp', email: 'kim@example.com' }];
  assert.equal(of({ email: '\u212aim@example.com' }, null, kelvin), false);
});

function of(change: Partial<typeof PERSON>, within: string | null = null, operators = OPERATORS): boolean {
  return isOperator(operators, { person: { ...PERSON, ...change }, within });
}
