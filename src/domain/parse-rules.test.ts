import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { parseRules } from './parse-rules.ts';
import { ServiceError } from './service-error.ts';

test('parseRules() reads every condition as it was written (DESIGN "Rules")', () => {
  const every = {
    until: '2027-01-31',
    methods: ['GET'],
    paths: ['/healthz', '/hooks/*'],
    addresses: ['10.0.0.0/8'],
    outside: ['2001:db8::/32'],
    tokens: ['deploy-*'],
    certificate: { subject: 'build-*.ci', unit: null },
    providers: ['corp'],
    emails: ['*@example.com'],
    groups: ['eng-*'],
    claims: { department: ['search', 'ops*'] },
    acr: ['urn:mfa'],
    max_age: '12h',
  };
  assert.deepEqual(parseRules([{ allow: every }, { deny: { everyone: true } }]), [
    { effect: 'allow', conditions: every },
    { effect: 'deny', conditions: { everyone: true } },
  ]);
});

describe('parseRules() refuses with the place (DESIGN "Rules")', () => {
  const rows: readonly (readonly [what: string, rules: unknown, message: RegExp])[] = [
    ['no list', {}, /: they are not a list/],
    [
      'too many',
      Array.from({ length: 101 }, () => ({ deny: { everyone: true } })),
      /there are 101, and may be 100/,
    ],
    ['no rule', [{ allow: { everyone: true } }, 'x'], /: rule 2: it is not written/],
    ['both effects', [{ allow: {}, deny: {} }], /: rule 1: it does not have either/],
    ['another effect', [{ permit: {} }], /: rule 1: it does not have either/],
    ['no conditions', [{ deny: {} }], /: rule 1: it has no conditions/],
    ['an unknown condition', allow({ everyone: true, weather: ['x'] }), /there is no condition "weather"/],
    ['an inherited name', allow({ everyone: true, toString: ['x'] }), /there is no condition "toString"/],
    ['everyone false', allow({ everyone: false }), /rule 1, `everyone`: it is not `true`/],
    ['nobody in particular', allow({ paths: ['/x'] }), /rule 1: .*`everyone: true`/],
    ['everyone with an identity', allow({ everyone: true, tokens: ['x'] }), /rule 1, `tokens`: .*`everyone`/],
    ['everyone with an address', allow({ everyone: true, emails: ['*'] }), /rule 1, `emails`: .*`everyone`/],
    ['groups of no provider', allow({ tokens: ['x'], groups: ['x'] }), /rule 1, `groups`: .*`providers`/],
    ['an age in a deny', [{ deny: { max_age: '1h' } }], /rule 1, `max_age`/],
    ['an empty list', allow({ providers: [] }), /rule 1, `providers`: it is empty/],
    ['a long list', allow({ tokens: Array(101).fill('x') }), /rule 1, `tokens`: it has 101 values/],
    ['a text for a list', allow({ tokens: 'x' }), /rule 1, `tokens`: it is not a list/],
    ['a number for a text', allow({ tokens: [1] }), /rule 1, `tokens`: .* no text/],
    ['a provider', allow({ providers: ['Not a name'] }), /rule 1, `providers`: "Not a name"/],
    ['an email glob', [{ deny: { emails: ['[a'] } }], /rule 1, `emails`: email pattern/],
    ['a glob', allow({ tokens: ['\\'] }), /rule 1, `tokens`: pattern/],
    ['a range', [{ deny: { outside: ['10.0.0.1/8'] } }], /rule 1, `outside`: range: "10.0.0.1\/8"/],
    ['a host for a range', [{ deny: { addresses: ['localhost'] } }], /rule 1, `addresses`/],
    ['a path', allow({ everyone: true, paths: ['/a/../b'] }), /rule 1, `paths`: path: "\/a\/..\/b"/],
    ['a method', allow({ everyone: true, methods: ['get'] }), /rule 1, `methods`: "get"/],
    ['a date', allow({ everyone: true, until: '2027-02-31' }), /rule 1, `until`: date: "2027-02-31"/],
    ['a duration', allow({ providers: ['a'], max_age: 'soon' }), /rule 1, `max_age`: duration/],
    ['a certificate', allow({ certificate: true }), /rule 1, `certificate`/],
    ['a part of one', allow({ certificate: { cn: 'x' } }), /rule 1, `certificate`: there is no "cn"/],
    ['a claim', allow({ providers: ['a'], claims: { 'a b': ['x'] } }), /rule 1, `claims`: "a b"/],
    [
      'a claim of no values',
      allow({ providers: ['a'], claims: { a: [] } }),
      /rule 1, `claims`, "a": it is empty/,
    ],
    [
      'too much together',
      Array.from({ length: 100 }, () => ({ deny: { emails: Array(4).fill(`${'a'.repeat(200)}@*`) } })),
      /characters together, and may have 65536/,
    ],
  ];
  for (const [what, rules, message] of rows)
    test(what, () => {
      assert.throws(
        () => parseRules(rules),
        (error: unknown) => {
          assert.ok(error instanceof ServiceError && error.code === 'validation_failed');
          assert.match(error.message, /^Cannot use rules: /);
          assert.match(error.message, message);
          return true;
        },
      );
    });
});

function allow(conditions: object) {
  return [{ allow: conditions }];
}
