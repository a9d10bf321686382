import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { CERTIFICATE, NO_RULES, REQUEST } from '../../test/support/rule-facts.ts';
import type { RuleConditions } from './access-rule.ts';
import { compileRules } from './compile-rules.ts';
import { pathIndex } from './path-index.ts';
import { matchesPath, parsePathRule, wideRule } from './path-rule.ts';
import type { RequestPart } from './rule-condition.ts';
import { isIn } from './rule-index.ts';

test('pathIndex() finds the rules that matchesPath() holds for, whatever the paths (DESIGN "Rules")', () => {
  const segment = fc.constantFrom('a', 'A', 'b', 'ab', '%20', '');
  const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((all) => `/${all.join('/')}`);
  const written = fc
    .tuple(path, fc.boolean())
    .filter(([text]) => !text.includes('//'))
    .map(([text, isPrefix]) => (isPrefix ? `${text === '/' ? '' : text.replace(/\/$/, '')}/*` : text));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(written, fc.boolean()), { maxLength: 20 }),
      fc.oneof(path, fc.constantFrom('', '*', 'a')),
      (all, asked) => {
        const rules = all.map(([text, isWide], number) => {
          const rule = parsePathRule(text);
          return { rule: isWide ? wideRule(rule) : rule, number };
        });
        const found = pathIndex(rules)(asked).flat();
        const wanted = rules.filter(({ rule }) => matchesPath(rule, asked)).map(({ number }) => number);
        assert.deepEqual(
          found.toSorted((a, b) => a - b),
          wanted,
        );
      },
    ),
    { numRuns: 5_000 },
  );
});

test('failing() names rules that fail by path, method, address, token or certificate, and no other (DESIGN "Rules")', () => {
  const asked: readonly RuleConditions[] = [
    { paths: ['/app/*'] },
    { methods: ['GET'] },
    { addresses: ['10.0.0.0/8'] },
    { outside: ['192.0.2.0/24'] },
    { tokens: ['deploy-*'] },
    { certificate: { subject: 'build-*.ci', unit: 'CI' } },
    { groups: ['eng'] },
    { until: '2029-01-01' },
  ];
  // Beyond the first word of the set, too.
  const rules = compileRules({
    ...NO_RULES,
    rules: Array.from({ length: 40 }, (_, at) => ({ deny: asked[at % asked.length]! })),
  });
  const failing = (request: Partial<RequestPart>) => {
    const set = rules.index.failing({ ...REQUEST, ...request });
    const found = rules.all.filter(({ number }) => isIn(set, number)).map(({ number }) => number);
    assert.deepEqual(
      found.map((number) => number % asked.length),
      Array.from({ length: 5 }, () => found.slice(0, found.length / 5)).flat(),
    );
    return found.slice(0, found.length / 5).map((number) => Object.keys(asked[number]!)[0]);
  };
  for (let twice = 0; twice < 2; twice++) {
    assert.deepEqual(failing({}), []);
    assert.deepEqual(failing({ path: '/apple' }), ['paths']);
    assert.deepEqual(failing({ method: 'POST' }), ['methods']);
    assert.deepEqual(failing({ path: null, method: 'POST' }), [], 'a page of the gateway itself');
    assert.deepEqual(failing({ address: '192.0.2.1' }), ['addresses', 'outside']);
    assert.deepEqual(failing({ address: null }), [], 'not known');
    assert.deepEqual(failing({ token: null }), ['tokens']);
    assert.deepEqual(failing({ certificate: null }), ['certificate']);
    assert.deepEqual(failing({ certificate: { ...CERTIFICATE, accountId: 'acc_2' } }), ['certificate']);
    assert.deepEqual(failing({ method: 'X'.repeat(10_000) }), ['methods']);
    assert.deepEqual(failing(named('other', 'CI')), ['certificate']);
    assert.deepEqual(failing(named('build-1.ci', null)), ['certificate']);
    assert.deepEqual(failing(named(null, 'CI')), [], 'whom it names is not known');
    assert.deepEqual(failing({ certificate: { ...CERTIFICATE, revoked: true } }), [], 'for now');
  }
});

function named(commonName: string | null, organizationalUnit: string | null): Partial<RequestPart> {
  return { certificate: { ...CERTIFICATE, commonName, organizationalUnit } };
}
