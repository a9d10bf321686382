import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RuleConditions } from './access-rule.ts';
import { ruleSentence } from './rule-sentence.ts';

const ROWS: readonly (readonly [RuleConditions, string])[] = [
  [{ everyone: true }, 'anyone'],
  [{ everyone: true, paths: ['/healthz', '/hooks/*'] }, 'anyone at /healthz or /hooks/*'],
  [{ providers: ['corp'] }, 'anyone who logs in with corp'],
  [
    { providers: ['corp', 'google'], groups: ['eng-*', 'ops'] },
    'anyone who logs in with corp or google, in a group like eng-* or ops',
  ],
  [
    { certificate: { subject: 'build-*', unit: 'CI' } },
    'anyone with a client certificate named build-* of the unit CI',
  ],
  [{ certificate: { subject: null, unit: null } }, 'anyone with a client certificate'],
  [
    { tokens: ['deploy-*'], methods: ['POST'] },
    'anyone with a service token named deploy-*, with POST requests',
  ],
  [{ outside: ['10.0.0.0/8'] }, 'anyone from outside 10.0.0.0/8'],
  [
    { providers: ['corp'], claims: { dept: ['search'] }, acr: ['phr'], max_age: '1h', until: '2027-01-31' },
    'anyone who logs in with corp, with a claim dept like search, with the authentication class phr, who logged in within 1h, until 2027-01-31',
  ],
];

for (const [conditions, sentence] of ROWS)
  test(`ruleSentence(): ${sentence}`, () => assert.equal(ruleSentence(conditions), sentence));

test('ruleSentence() says what a definition asks, and no more than ten values of a list', () => {
  const definitions = new Map([['partner', ['*@partner.example']]]);
  assert.equal(
    ruleSentence({ providers: ['partner'] }, definitions),
    'anyone who logs in with partner, at partner only with an email address like *@partner.example',
  );
  const emails = Array.from({ length: 100 }, (_, each) => `p${each}@a.b`);
  assert.match(ruleSentence({ emails }), /p0@a\.b, .*p9@a\.b or 90 more$/);
});
