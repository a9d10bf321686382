// Every pair of conditions in one rule, as an allow and as a deny; then whatever rules there may be, against
// a second evaluator that shares no line with the first.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import {
  allowing,
  CERTIFICATE,
  denying,
  NO_RULES,
  NOW,
  PERSON,
  REQUEST,
} from '../../test/support/rule-facts.ts';
import { naiveCrowd, naiveDecision, type NaiveFacts, naiveRule } from '../../test/support/naive-rules.ts';
import {
  type AccessRuleDocument,
  CONDITION_NAMES,
  type ConditionName,
  type RuleConditions,
} from './access-rule.ts';
import { compileRules, rulesOf } from './compile-rules.ts';
import {
  everyoneGrounds,
  explainRules,
  identityGrounds,
  prospect,
  rulesTurnAt,
  strengthAt,
} from './evaluate-rules.ts';
import { judgePerson, type KnownLogin } from './judged-person.ts';
import { ANY_STRENGTH } from './login-strength.ts';
import type { RequestPart } from './rule-condition.ts';

type World = { readonly person: KnownLogin; readonly request: RequestPart };
const WORLD: World = { person: PERSON, request: REQUEST };

/** Each holds in WORLD; `not` is a world where it alone fails, `unknown` one where it is not known. */
const CONDITIONS: Readonly<
  Record<ConditionName, { readonly held: RuleConditions; readonly not?: World; readonly unknown?: World }>
> = {
  everyone: { held: { everyone: true } },
  until: { held: { until: '2030-01-01' }, not: asking({ now: Date.UTC(2030, 0, 2) }) },
  methods: { held: { methods: ['GET', 'HEAD'] }, not: asking({ method: 'POST' }) },
  paths: { held: { paths: ['/healthz', '/app/*'] }, not: asking({ path: '/other' }) },
  addresses: {
    held: { addresses: ['10.0.0.0/8'] },
    not: asking({ address: '192.0.2.1' }),
    unknown: asking({ address: null }),
  },
  outside: {
    held: { outside: ['192.0.2.0/24'] },
    not: asking({ address: '192.0.2.1' }),
    unknown: asking({ address: null }),
  },
  tokens: { held: { tokens: ['deploy-*'] }, not: asking({ token: null }) },
  certificate: {
    held: { certificate: { subject: 'build-*.ci', unit: 'CI' } },
    not: asking({ certificate: null }),
    unknown: asking({ certificate: { ...CERTIFICATE, commonName: null } }),
  },
  providers: { held: { providers: ['corp'] }, not: being({ provider: 'google' }) },
  emails: {
    held: { emails: ['*@corp.com'] },
    not: being({ email: 'ann@other.com' }),
    unknown: being({ email: null }),
  },
  groups: {
    held: { groups: ['ops', 'eng-*'] },
    not: knowing({ groups: [] }),
    unknown: knowing({ groups: null }),
  },
  claims: {
    held: { claims: { dept: ['sea*'] } },
    not: knowing({ claims: { dept: ['sales'] } }),
    unknown: knowing({ claims: {} }),
  },
  acr: { held: { acr: ['mfa', 'hw'] }, not: knowing({ acr: 'pwd' }), unknown: knowing({ acr: null }) },
  max_age: {
    held: { max_age: '1h' },
    not: knowing({ authTime: NOW - 3_600_001 }),
    unknown: knowing({ authTime: null }),
  },
};

/** Conditions that whoever comes cannot fulfil. */
const OF_SOMEBODY = new Set<ConditionName>([
  'tokens',
  'certificate',
  'providers',
  'emails',
  'groups',
  'claims',
  'acr',
  'max_age',
]);
const OF_LOGIN = new Set<ConditionName>(['emails', 'groups', 'claims', 'acr', 'max_age']);

const PAIRS = CONDITION_NAMES.flatMap((a, at) => CONDITION_NAMES.slice(at + 1).map((b) => [a, b] as const));

describe('identityGrounds() and everyoneGrounds(), every pair of conditions in one allow (DESIGN "Rules")', () => {
  for (const [a, b] of PAIRS)
    test(`${a} and ${b}`, () => {
      const conditions = { ...CONDITIONS[a].held, ...CONDITIONS[b].held };
      if (a === 'everyone' && OF_SOMEBODY.has(b)) {
        assert.throws(() => rulesOf({ ...NO_RULES, rules: [allowing(conditions)] }), /everyone/);
        return;
      }
      const document = allowing(completed(conditions, [a, b]));
      assert.equal(isLetIn([document], WORLD), true);
      for (const name of [a, b])
        for (const world of [CONDITIONS[name].not, CONDITIONS[name].unknown])
          if (world !== undefined) assert.equal(isLetIn([document], world), false, `without ${name}`);
    });
});

describe('identityGrounds() and everyoneGrounds(), every pair of conditions in one deny (DESIGN "Rules")', () => {
  const all = allowing({ providers: ['corp', 'google'] });
  for (const [a, b] of PAIRS)
    test(`${a} and ${b}`, () => {
      const document = denying({ ...CONDITIONS[a].held, ...CONDITIONS[b].held });
      if (a === 'max_age' || b === 'max_age') {
        assert.throws(() => rulesOf({ ...NO_RULES, rules: [document] }), /max_age/);
        return;
      }
      assert.equal(isLetIn([all], WORLD), true);
      assert.equal(isLetIn([all, document], WORLD), false);
      for (const name of [a, b]) {
        const { not, unknown } = CONDITIONS[name];
        if (not !== undefined) assert.equal(isLetIn([all, document], not), true, `without ${name}`);
        if (unknown !== undefined)
          assert.equal(isLetIn([all, document], unknown), false, `${name} is not known`);
      }
    });
});

test('a deny on addresses of people fails closed for certificates, and not for tokens or for everyone (DESIGN "Rules")', () => {
  const deny = denying({ emails: ['mallory@corp.com'] });
  const byCertificate = allowing({ certificate: { subject: null, unit: null } });
  assert.equal(isLetIn([byCertificate], WORLD, null), true);
  assert.equal(isLetIn([byCertificate, deny], WORLD, null), false);
  assert.equal(isLetIn([allowing({ tokens: ['*'] }), deny], WORLD, null), true);
  assert.equal(isLetIn([allowing({ everyone: true }), deny], WORLD, null), true);
  const mallory = being({ email: 'mallory@corp.com' });
  const rules = compileRules({ ...NO_RULES, rules: [allowing({ everyone: true }), deny] });
  assert.notEqual(everyoneGrounds(rules, mallory.request), null);
});

test('a person who is denied is let in on other grounds where those are not (DESIGN "Rules")', () => {
  const rules = compileRules({
    ...NO_RULES,
    rules: [
      allowing({ certificate: { subject: null, unit: null } }),
      allowing({ providers: ['corp'] }),
      denying({ emails: ['mallory@corp.com'] }),
    ],
  });
  const found = identityGrounds(rules, { judged: judgePerson(rules, PERSON), request: REQUEST });
  assert.equal(found.kind === 'let-in' && found.rule.source, 2);
});

test('prospect() names the providers where a login could help, in the order of the rules (DESIGN "Rules")', () => {
  const rules = compileRules({
    ...NO_RULES,
    rules: [
      allowing({ providers: ['corp'], paths: ['/app/*'] }),
      allowing({ providers: ['google', 'corp'], emails: ['*@partner.com'] }),
      allowing({ providers: ['gone'] }),
      allowing({ providers: ['other'], paths: ['/elsewhere'] }),
      allowing({ providers: ['closed'] }),
      denying({ providers: ['closed'] }),
    ],
  });
  const visitor = { judged: null, usable: ['corp', 'google', 'other', 'closed'] };
  assert.deepEqual(prospect(rules, { ...visitor, request: REQUEST }), {
    providers: ['corp', 'google'],
    stronger: null,
    unusable: true,
    certificate: null,
    person: null,
    denied: null,
  });
  const elsewhere = prospect(rules, { ...visitor, request: { ...REQUEST, path: '/elsewhere' } });
  assert.deepEqual(elsewhere.providers, ['google', 'corp', 'other']);
});

test('prospect() tells a login that is too weak or too old from one that does not help (DESIGN "Rules")', () => {
  const rules = compileRules({
    ...NO_RULES,
    rules: [allowing({ providers: ['corp'], groups: ['eng-*'], acr: ['hw'], max_age: '1h' })],
  });
  const of = (person: KnownLogin) =>
    prospect(rules, { request: REQUEST, judged: judgePerson(rules, person), usable: ['corp'] });
  const wanted = { acrValues: ['hw'], maxAgeMs: 3_600_000 };
  assert.deepEqual(of(PERSON).stronger, wanted);
  assert.deepEqual(of(knowing({ acr: 'hw', authTime: null }).person).stronger, wanted);
  const other = of(knowing({ groups: ['sales'] }).person);
  assert.equal(other.stronger, null);
  assert.deepEqual(other.person, { source: 1, condition: 'groups' });
});

test('strengthAt() is what any login at a provider must show to be let in at all (5.5)', () => {
  const strong = allowing({ providers: ['corp', 'other'], acr: ['hw', 'phr'], max_age: '1h' });
  const rules = (...more: readonly ReturnType<typeof allowing>[]) =>
    compileRules({ ...NO_RULES, rules: [strong, ...more] });
  const wanted = { acrValues: ['hw', 'phr'], maxAgeMs: 3_600_000 };
  assert.deepEqual(strengthAt(rules(), 'corp'), wanted);
  const mixed = rules(allowing({ providers: ['corp'], groups: ['ops'] }), allowing({ providers: ['gone'] }));
  assert.deepEqual(strengthAt(mixed, 'corp'), ANY_STRENGTH, 'a plain login may do');
  assert.deepEqual(strengthAt(mixed, 'other'), wanted);
  assert.deepEqual(strengthAt(mixed, 'nowhere'), ANY_STRENGTH);
});

test('prospect() says what is wrong with the certificate, and which deny holds whoever comes (DESIGN "Rules")', () => {
  const rules = compileRules({
    ...NO_RULES,
    rules: [
      allowing({ certificate: { subject: 'other', unit: null } }),
      denying({ outside: ['10.0.0.0/8'] }),
    ],
  });
  const of = (request: Partial<RequestPart>) =>
    prospect(rules, { request: { ...REQUEST, ...request }, judged: null, usable: [] });
  assert.equal(of({}).certificate, 'certificate_refused');
  assert.equal(of({ certificate: null }).certificate, 'certificate_required');
  assert.equal(of({}).denied, null);
  assert.deepEqual(of({ address: '192.0.2.1' }).denied, { source: 2, condition: 'outside' });
});

test('compileRules() lets nobody in by rules that it cannot read, such as those of a later version (DESIGN "Rules")', () => {
  const later = { allow: { everyone: true, weather: ['fine'] } } as unknown as AccessRuleDocument;
  for (const rules of [[later], [allowing({ everyone: true }), later]]) {
    const compiled = compileRules({ ...NO_RULES, providers: ['corp'], rules });
    assert.deepEqual([compiled.all, compiled.isOpen], [[], false]);
  }
});

test('a deny on groups holds a group in whatever case, an allow in its own alone (THREATS "Email and identity")', () => {
  const all = allowing({ providers: ['corp'] });
  assert.equal(hasGrounds(['acme/contractors'], [all, denying({ groups: ['Acme/*'] })]), false);
  assert.equal(hasGrounds(['ACME/contractors'], [all, denying({ groups: ['acme/contractors'] })]), false);
  assert.equal(hasGrounds(['acme/staff'], [all, denying({ groups: ['Acme/contractors'] })]), true);
  assert.equal(
    hasGrounds(['acme/staff'], [allowing({ providers: ['corp'], groups: ['Acme/staff'] })]),
    false,
  );
});

test('explainRules() tells of each rule which condition held, failed or is not known (DESIGN "Rules")', () => {
  const rules = compileRules({
    ...NO_RULES,
    providers: ['corp'],
    rules: [denying({ groups: ['x'], paths: ['/app/*'] })],
  });
  const explained = explainRules(rules, knowing({ groups: null }).person, REQUEST);
  assert.deepEqual(explained, [
    {
      source: 'login',
      effect: 'allow',
      held: 'held',
      conditions: [{ name: 'providers', text: 'providers corp', held: 'held' }],
    },
    {
      source: 1,
      effect: 'deny',
      held: 'unknown',
      conditions: [
        { name: 'paths', text: 'paths /app/*', held: 'held' },
        { name: 'groups', text: 'groups x', held: 'unknown' },
      ],
    },
  ]);
});

test('rulesTurnAt() is the next moment at which a rule or a login passes (DESIGN "Rules")', () => {
  const rules = compileRules({
    ...NO_RULES,
    rules: [
      allowing({ everyone: true, until: '2030-01-01' }),
      allowing({ everyone: true, until: '2029-01-01' }),
      allowing({ providers: ['corp'], max_age: '1h' }),
    ],
  });
  assert.equal(rulesTurnAt(rules, null, NOW), Date.UTC(2030, 0, 2));
  assert.equal(rulesTurnAt(rules, NOW - 1_000, NOW), NOW + 3_599_001);
  assert.equal(rulesTurnAt(rules, null, Date.UTC(2031, 0, 1)), Infinity);
});

describe('the evaluator, whatever the rules (DESIGN "Rules")', () => {
  const facts: fc.Arbitrary<NaiveFacts> = fc.record({
    provider: fc.constantFrom(null, 'corp', 'google'),
    email: fc.constantFrom(null, 'ann@corp.com', 'bob@other.com'),
    groups: fc.constantFrom(null, [], ['eng'], ['ops', 'eng']),
    dept: fc.constantFrom(null, [], ['a'], ['b']),
    acr: fc.constantFrom(null, 'pwd', 'mfa'),
    authTime: fc.constantFrom(null, NOW - 1_000, NOW - 7_200_000),
    certificate: fc.constantFrom(null, 'one', 'two'),
    token: fc.constantFrom(null, 'deploy', 'other'),
    address: fc.constantFrom(null, '10.0.0.1', '10.0.1.1', '10.2.0.1', '192.0.2.1', '198.51.100.1'),
    path: fc.constantFrom('/a', '/a/', '/a/b', '/a/b/c/d', '/ab', '/ab/c', '/', '/other/a'),
    method: fc.constantFrom('GET', 'POST'),
    now: fc.constant(NOW),
  });

  test('it answers what a second, naive one does', () => {
    fc.assert(
      fc.property(fc.array(naiveRule, { minLength: 1, maxLength: 6 }), facts, (documents, known) => {
        const rules = compileRules({ ...NO_RULES, rules: documents });
        assert.equal(rules.all.length, documents.length);
        const { judged, request } = asked(rules, known);
        const grounds = identityGrounds(rules, { judged, request });
        const everyone = everyoneGrounds(rules, request);
        const found = {
          identity: grounds.kind === 'let-in' ? grounds.rule.source : null,
          everyone: everyone !== null,
        };
        assert.deepEqual(found, naiveDecision(documents, known));
      }),
      { numRuns: 10_000 },
    );
  });

  test('it answers what a second, naive one does where a hundred rules meet one request after the other', () => {
    const kinds = new Set<string>();
    fc.assert(
      fc.property(naiveCrowd, fc.array(facts, { minLength: 4, maxLength: 8 }), (documents, visits) => {
        const rules = compileRules({ ...NO_RULES, rules: documents });
        assert.equal(rules.all.length, documents.length);
        for (const known of visits) {
          const { judged, request } = asked(rules, known);
          const grounds = identityGrounds(rules, { judged, request });
          const identity = grounds.kind === 'let-in' ? grounds.rule.source : null;
          assert.equal(identity, naiveDecision(documents, known).identity);
          kinds.add(grounds.kind === 'none' && grounds.denied !== null ? 'denied' : grounds.kind);
        }
      }),
      { numRuns: 1_000 },
    );
    assert.deepEqual([...kinds].toSorted(), ['denied', 'let-in', 'none']);
  });

  test('what is not known never lets anybody in: whoever it lets in is let in whatever it turns out to be', () => {
    fc.assert(
      fc.property(
        fc.array(naiveRule, { minLength: 1, maxLength: 6 }),
        facts,
        facts,
        (documents, known, truth) => {
          const of = (each: NaiveFacts) => {
            const rules = compileRules({ ...NO_RULES, rules: documents });
            return identityGrounds(rules, asked(rules, each)).kind;
          };
          if (of(known) !== 'let-in') return;
          const learnt = Object.fromEntries(
            Object.entries(known).map(([name, value]) => [
              name,
              value === null && LEARNT.has(name) ? truth[name as keyof NaiveFacts] : value,
            ]),
          ) as NaiveFacts;
          assert.equal(of(learnt), 'let-in');
        },
      ),
      { numRuns: 5_000 },
    );
  });

  test('whoever could be let in after a login is sent to that provider', () => {
    fc.assert(
      fc.property(fc.array(naiveRule, { minLength: 1, maxLength: 6 }), facts, (documents, known) => {
        const rules = compileRules({ ...NO_RULES, rules: documents });
        const { judged, request } = asked(rules, known);
        if (judged === null) return;
        const grounds = identityGrounds(rules, { judged, request });
        if (grounds.kind !== 'let-in' || !grounds.login) return;
        const before = prospect(rules, { request, judged: null, usable: ['corp', 'google'] });
        assert.ok(before.providers.includes(judged.person.kind === 'login' ? judged.person.provider : ''));
        assert.equal(before.denied, null);
      }),
      { numRuns: 5_000 },
    );
  });
});

/** What a person who is logged in may turn out to be. */
const LEARNT = new Set(['email', 'groups', 'dept', 'acr', 'authTime', 'address']);

function asked(rules: ReturnType<typeof compileRules>, known: NaiveFacts) {
  const { provider, email, groups, dept, acr, authTime } = known;
  const person: KnownLogin | null =
    provider === null
      ? null
      : {
          kind: 'login',
          provider,
          email,
          facts: { groups, claims: dept === null ? {} : { dept }, acr, amr: [], authTime, name: null },
        };
  const request: RequestPart = {
    accountId: 'acc_1',
    path: known.path,
    method: known.method,
    address: known.address,
    certificate: known.certificate === null ? null : { ...CERTIFICATE, commonName: known.certificate },
    token: known.token,
    now: known.now,
  };
  return { judged: person === null ? null : judgePerson(rules, person), request };
}

function hasGrounds(groups: readonly string[], rules: readonly AccessRuleDocument[]): boolean {
  const compiled = compileRules({ ...NO_RULES, rules });
  const judged = judgePerson(compiled, knowing({ groups }).person);
  return identityGrounds(compiled, { judged, request: REQUEST }).kind === 'let-in';
}

function isLetIn(
  documents: readonly AccessRuleDocument[],
  { person, request }: World,
  known: KnownLogin | null = person,
): boolean {
  const rules = compileRules({ ...NO_RULES, rules: documents });
  assert.equal(rules.all.length, documents.length);
  const judged = known === null ? null : judgePerson(rules, known);
  return (
    identityGrounds(rules, { judged, request }).kind === 'let-in' || everyoneGrounds(rules, request) !== null
  );
}

/** What a rule needs beside, so that it may be written. */
function completed(conditions: RuleConditions, names: readonly ConditionName[]): RuleConditions {
  if (names.some((name) => OF_LOGIN.has(name))) return { providers: ['corp'], ...conditions };
  return names.some((name) => OF_SOMEBODY.has(name)) ? conditions : { everyone: true, ...conditions };
}

function asking(request: Partial<RequestPart>): World {
  return { person: PERSON, request: { ...REQUEST, ...request } };
}

function being(person: Partial<KnownLogin>): World {
  return { person: { ...PERSON, ...person }, request: REQUEST };
}

function knowing(facts: Partial<NonNullable<KnownLogin['facts']>>): World {
  return being({ facts: { ...PERSON.facts!, ...facts } });
}
