// Rules as text, there and back.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { AccessRuleDocument } from '../domain/access-rule.ts';
import { readRules } from './read-rules.ts';
import { rulesText } from './write-rules.ts';

const RULES: readonly AccessRuleDocument[] = [
  {
    allow: {
      until: '2027-01-31',
      addresses: ['10.0.0.0/8', '2001:db8::/32'],
      providers: ['corp'],
      emails: ['*@example.com', "o'neil@example.org"],
      groups: ['eng-*', 'a: b', '# x', 'null', '7', ' padded ', 'two\nlines', 'ä'],
      claims: { 'realm_access.roles': ['yes', 'off'], 'https://x.example/y': ['a, b'] },
      acr: ['phr'],
      max_age: '1h30m',
    },
  },
  { allow: { certificate: { subject: 'build-*.ci', unit: null } } },
  { allow: { certificate: { subject: null, unit: null } } },
  { allow: { tokens: ['deploy-*'] } },
  { allow: { everyone: true, until: '2027-01-31T18:00:00+02:00', methods: ['GET'], paths: ['/healthz'] } },
  { deny: { outside: ['192.0.2.0/24'] } },
];

test('rulesText() is read again as exactly the same rules, and JSON is read, too (DESIGN "Rules")', () => {
  assert.deepEqual(readRules(rulesText(RULES), 'it'), RULES);
  assert.deepEqual(readRules(JSON.stringify(RULES), 'it'), RULES);
  assert.deepEqual(readRules(JSON.stringify({ access: RULES }, null, 2), 'it'), RULES);
  assert.deepEqual(readRules(rulesText([]), 'it'), []);
});

test('rulesText() is a line for each rule, as the documents show them', () => {
  const [allow] = RULES.slice(4);
  assert.equal(
    rulesText([{ allow: { providers: ['corp'], groups: ['eng-*'] } }, allow!, RULES[1]!]),
    [
      'rules:',
      '  - allow: { providers: [ corp ], groups: [ eng-* ] }',
      '  - allow: { everyone: true, until: 2027-01-31T18:00:00+02:00, methods: [ GET ], paths: [ /healthz ] }',
      '  - allow: { certificate: { subject: build-*.ci } }',
      '',
    ].join('\n'),
  );
});
