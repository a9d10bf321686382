// The rules of a share in the console's form: drafts there and back, sentences, and where errors belong.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type AccessRuleDocument,
  CONDITION_NAMES,
  ruleDocument,
} from '../../../../src/domain/access-rule.ts';
import { parseRules } from '../../../../src/domain/parse-rules.ts';
import { ServiceError } from '../../../../src/domain/service-error.ts';
import { definitionTitle } from '../../api/definition-title.ts';
import { providerTitles } from '../../parts/provider-titles.ts';
import { addableGroups, CONDITION_KINDS, needsProviders } from './condition-kinds.ts';
import { documentOf, draftOfRules, newCondition, newRule, rulesOfDraft } from './rule-draft.ts';
import { rulesFaults } from './rule-faults.ts';
import { dayInWords, ruleLine } from '../../../../src/domain/rule-sentence.ts';
import { untilParts, untilText } from './until-text.ts';

/** As the service keeps them: every condition is in one of them. */
const RULES: readonly AccessRuleDocument[] = parseRules([
  {
    allow: {
      providers: ['corp', 'google'],
      emails: ['*@example.com'],
      groups: ['eng-*', 'Domain Users', ' padded ', 'two\nlines'],
      claims: { dept: ['search', 'ads'], 'realm_access.roles': ['admin'] },
      certificate: { subject: 'build-*' },
      acr: ['phr'],
      max_age: '1h30m',
      addresses: ['10.0.0.0/8'],
    },
  },
  { allow: { everyone: true, paths: ['/healthz', '/hooks/*'], methods: ['POST', 'GET', 'PROPFIND'] } },
  { allow: { tokens: ['deploy-*'], until: '2027-01-31T18:00:30.5+02:00' } },
  { allow: { certificate: {} } },
  { deny: { outside: ['192.0.2.0/24'], until: '2027-01-31' } },
]).map(ruleDocument);

test('rulesOfDraft() is exactly what draftOfRules() was given, whichever conditions there are', () => {
  assert.deepEqual(rulesOfDraft(draftOfRules(RULES)), RULES);
  assert.equal(JSON.stringify(rulesOfDraft(draftOfRules(RULES))), JSON.stringify(RULES));
  const names = RULES.flatMap((rule) => Object.keys('allow' in rule ? rule.allow : rule.deny));
  assert.deepEqual(new Set(names), new Set(CONDITION_NAMES));
});

test('documentOf() takes lines as people type them, in the order in which the service keeps conditions', () => {
  const typed = newRule('allow', [
    { name: 'groups', lines: ' eng-* \n\n Domain Users\n' },
    { name: 'providers', lines: 'corp' },
    { name: 'claims', claims: [{ claim: ' dept ', lines: 'search ' }] },
    { name: 'certificate', subject: ' build-* ', unit: ' ' },
    { name: 'until', text: ' 2027-01-31 ' },
  ]);
  assert.equal(
    JSON.stringify(documentOf(typed)),
    JSON.stringify({
      allow: {
        until: '2027-01-31',
        certificate: { subject: 'build-*', unit: null },
        providers: ['corp'],
        groups: ['eng-*', 'Domain Users'],
        claims: { dept: ['search'] },
      },
    }),
  );
});

test('every condition can be chosen once, is empty at first, and has words', () => {
  assert.deepEqual(CONDITION_KINDS.map(({ name }) => name).toSorted(), [...CONDITION_NAMES].toSorted());
  for (const name of CONDITION_NAMES) assert.equal(newCondition(name).name, name);
  assert.ok(!offered('allow', ['groups']).includes('groups'));
  assert.ok(!offered('deny', []).includes('max_age'));
  // The service refuses them together.
  assert.ok(!offered('allow', ['providers']).includes('everyone'));
  assert.deepEqual(offered('allow', ['everyone']), ['addresses', 'outside', 'paths', 'methods', 'until']);
  assert.deepEqual(offered('deny', CONDITION_NAMES), []);
  assert.equal(needsProviders('allow', 'groups'), true);
  assert.equal(needsProviders('deny', 'groups'), false);
  assert.equal(needsProviders('allow', 'tokens'), false);
});

test('ruleLine() says who is let in or denied, in one sentence', () => {
  const rows: readonly (readonly [AccessRuleDocument, string])[] = [
    [
      { allow: { providers: ['corp'], groups: ['eng-*', 'ops'] } },
      'Let in: groups eng-* or ops, logged in with corp',
    ],
    [
      { allow: { providers: ['google'], emails: ['*@partner.example'], until: '2027-03-31' } },
      'Let in: *@partner.example, logged in with Google, until 31 March 2027, UTC',
    ],
    [{ allow: { providers: ['corp', 'google'] } }, 'Let in: everybody logged in with corp or Google'],
    [
      { allow: { everyone: true, paths: ['/healthz'], methods: ['GET'] } },
      'Let in: everyone at /healthz by GET',
    ],
    [{ deny: { emails: ['mallory@example.com'] } }, 'Deny: mallory@example.com'],
    [
      { deny: { outside: ['10.0.0.0/8'], paths: ['/admin/*'] } },
      'Deny: everyone from outside 10.0.0.0/8 at /admin/*',
    ],
    [{ allow: { tokens: ['deploy-*'], paths: ['/api/*'] } }, 'Let in: service token deploy-*, at /api/*'],
    [
      { allow: { certificate: { subject: 'build-*', unit: 'CI' } } },
      'Let in: whoever has a client certificate named build-* of unit CI',
    ],
    [
      {
        allow: { providers: ['corp'], certificate: { subject: null, unit: null }, addresses: ['10.0.0.0/8'] },
      },
      'Let in: whoever has a client certificate, logged in with corp, from 10.0.0.0/8',
    ],
    [
      { allow: { providers: ['corp'], claims: { dept: ['a', 'b'], x: ['y'] }, acr: ['phr'], max_age: '1h' } },
      'Let in: whoever has claims dept a or b and x y, logged in with corp, with login class phr, logged in within 1h',
    ],
    [
      { allow: { tokens: ['a', 'b', 'c', 'd', 'e', 'f'], until: '2027-01-31T18:00:00+02:00' } },
      'Let in: service token a, b, c, d or 2 more, until 31 January 2027 at 18:00 UTC+02:00',
    ],
    // Still being filled in.
    [{ allow: { providers: [], groups: [] } }, 'Let in: group …, logged in with …'],
    [{ deny: {} }, 'Deny: nobody yet'],
    [{ allow: { everyone: true, until: '' } }, 'Let in: everyone until …'],
  ];
  for (const [rule, line] of rows) assert.equal(ruleLine(rule, titleOf), line);
});

test('rulesFaults() finds the rule and the condition that the service names', () => {
  const sound = { allow: { providers: ['corp'] } };
  const at = (rule: unknown) => refusedAs([sound, sound, rule]).rules.get(2);
  assert.match(at({ allow: { paths: ['x'], everyone: true } })?.paths ?? '', /^Path: "x"/);
  assert.equal(at({ allow: { providers: [] } })?.providers, 'It is empty.');
  assert.match(at({ allow: { ...sound.allow, claims: { dept: [''] } } })?.claims ?? '', /^dept: /);
  assert.match(at({ allow: { certificate: { subject: '\\' } } })?.certificate ?? '', /^subject: /);
  assert.match(at({ allow: { certificate: {}, emails: ['a@b.c'] } })?.emails ?? '', /needs `providers`/);
  assert.match(at({ allow: { paths: ['/x'] } })?.rule ?? '', /it lets in whoever comes/i);
  assert.match(refusedAs(Array.from({ length: 101 }, () => sound)).list, /there are 101/);
});

test('rulesFaults() finds what the schema and the settings say, each in its place', () => {
  const { list, rules } = rulesFaults({
    rules: 'rule 1, `providers`: there is no provider "x"; available: corp',
    'rules.1.allow.emails.2': 'Too long',
    'rules.1.deny': 'Unknown',
    'rules.2.allow.claims.dept.0': 'Too long',
    'rules.3': 'Not an object',
    target: 'no',
  });
  assert.equal(list, '');
  assert.deepEqual(Object.fromEntries(rules), {
    0: { providers: 'There is no provider "x"; available: corp.' },
    1: { emails: 'Line 3: Too long.', rule: 'Unknown.' },
    2: { claims: 'Too long.' },
    3: { rule: 'Not an object.' },
  });
  assert.equal(
    rulesFaults({ rules: 'no rule allows anybody: add an allow' }).list,
    'No rule allows anybody: add an allow.',
  );
});

test('untilParts() and untilText() are each other’s way back', () => {
  for (const text of ['2027-01-31', '2027-01-31T18:00:00Z', '2027-01-31T18:00:30.25+02:00', '', 'T18:00:00Z'])
    assert.equal(untilText(untilParts(text) ?? assert.fail(text)), text);
  assert.equal(untilText({ day: '2027-01-31', time: '18:00', zone: '-05:30' }), '2027-01-31T18:00:00-05:30');
  assert.equal(untilParts('soon'), null);
});

test('dayInWords() says a day as sentences of rules do, whatever the order of the field', () => {
  assert.equal(dayInWords('2027-03-04'), '4 March 2027');
  for (const none of ['', '2027-13-01', 'soon']) assert.equal(dayInWords(none), '');
});

test('providerTitles() are display names, told apart where two are the same', () => {
  const named = { b: 'Login', a: 'Login', corp: 'corp', google: 'Google' };
  const titles = providerTitles(
    Object.entries(named).map(([name, displayName]) => ({ name, displayName, shares: 0, emailPatterns: [] })),
  );
  assert.deepEqual(
    titles.map(({ title }) => title),
    ['Login (a)', 'Login (b)', 'corp', 'Google'],
  );
  const config = { clientId: 'c' };
  assert.equal(definitionTitle({ name: 'google', type: 'GOOGLE', config }), 'Google');
  assert.equal(definitionTitle({ name: 'partners', type: 'OIDC', config }), 'partners');
  assert.equal(
    definitionTitle({ name: 'p', type: 'OIDC', config: { ...config, displayName: 'Partners' } }),
    'Partners',
  );
});

/** What the form makes of the service's refusal. */
function refusedAs(rules: unknown) {
  try {
    parseRules(rules);
  } catch (error) {
    if (error instanceof ServiceError) return rulesFaults({ rules: error.message });
  }
  return assert.fail('the rules are sound');
}

function offered(...args: Parameters<typeof addableGroups>) {
  return addableGroups(...args).flatMap(({ kinds }) => kinds.map(({ name }) => name));
}

function titleOf(name: string): string {
  return name === 'google' ? 'Google' : name;
}
