import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as fc from 'fast-check';
import { FACTS, HOUR, NOW, PROVIDER, SESSION, SHARE } from '../../test/support/decision-rows.ts';
import { naiveRule } from '../../test/support/naive-rules.ts';
import { CERTIFICATE } from '../../test/support/rule-facts.ts';
import { decide } from './decision.ts';
import { couldOpen, type KnownPerson } from './known-person.ts';
import type { LiveSession } from './session.ts';
import type { SessionFacts } from './session-facts.ts';
import type { Share } from './share.ts';

const GOOGLE = { ...PROVIDER, name: 'google', generation: 'google-1' };
const GENERATIONS = new Map([PROVIDER, GOOGLE].map(({ name, generation }) => [name, generation]));
const ANN = 'ann@corp.com';

function shareOf(rules: Share['rules'], more: Partial<Share> = {}): Share {
  const providers = [PROVIDER, GOOGLE].map((provider) => ({ name: provider.name, provider }));
  const login = { providers, named: [], emailPatterns: [], checkIntervalMs: HOUR };
  return { ...SHARE, rules, login, ...more };
}

function facts(groups: readonly string[] | null, dept?: string): SessionFacts {
  const claims = dept === undefined ? {} : { dept: [dept] };
  return { groups, claims, acr: 'pwd', amr: [], authTime: NOW, name: null };
}

function person(more: Partial<KnownPerson> = {}): KnownPerson {
  return { email: ANN, provider: null, facts: new Map(), ...more };
}

function holder(unit: string | null): KnownPerson {
  return person({ email: null, certificate: { subject: 'build-1', unit } });
}

function answer(share: Share, of: KnownPerson) {
  const { found, asked } = couldOpen(share, of, NOW);
  return [found.outcome, found.rule, asked.provider];
}

test('couldOpen() tries each provider with what that one said, and takes the best (DESIGN "Rules")', () => {
  const share = shareOf([{ allow: { providers: ['corp', 'google'], groups: ['eng'] } }]);
  assert.deepEqual(answer(share, person()), ['depends', 1, 'corp']);
  const atGoogle = new Map([
    ['corp', facts([])],
    ['google', facts(['eng'])],
  ]);
  assert.deepEqual(answer(share, person({ facts: atGoogle })), ['allowed', 1, 'google']);
  assert.deepEqual(answer(share, person({ facts: atGoogle, provider: 'corp' })), ['refused', null, 'corp']);
  const elsewhere = person({ facts: atGoogle, provider: 'elsewhere' });
  assert.deepEqual(answer(share, elsewhere), ['refused', null, 'elsewhere']);
});

test('couldOpen() leaves open how strongly somebody logs in, where from, and what they ask for (DESIGN "Rules")', () => {
  const known = person({ facts: new Map([['corp', facts(['eng'])]]) });
  for (const condition of [
    { acr: ['mfa'] },
    { addresses: ['10.0.0.0/8'] },
    { paths: ['/a/*'] },
    { methods: ['GET'] },
  ])
    assert.equal(answer(shareOf([{ allow: { providers: ['corp'], ...condition } }]), known)[0], 'depends');
  const fresh = shareOf([{ allow: { providers: ['corp'], max_age: '1h' } }]);
  assert.equal(answer(fresh, known)[0], 'allowed', 'whoever logs in anew is fresh');
});

test('couldOpen() of a certificate alone asks its subject, and knows that it has no unit (DESIGN "Mutual TLS")', () => {
  const rule = { allow: { certificate: { subject: 'build-*', unit: 'CI' } } };
  assert.deepEqual(answer(shareOf([rule]), holder('CI')), ['allowed', 1, undefined]);
  assert.equal(answer(shareOf([rule]), holder(null))[0], 'refused');
  const both = { allow: { ...rule.allow, providers: ['corp'] } };
  assert.equal(answer(shareOf([both]), holder('CI'))[0], 'depends', 'they may log in, too');
  const token = shareOf([{ allow: { tokens: ['*'] } }]);
  assert.equal(answer(token, holder('CI'))[0], 'refused', 'a program is somebody else');
});

const known = fc.record({
  groups: fc.constantFrom(null, [], ['eng'], ['ops', 'eng']),
  claims: fc.constantFrom({}, { dept: [] }, { dept: ['a'] }, { dept: ['b'] }),
});
const generated = fc.record({
  email: fc.constantFrom(ANN, 'bob@other.com'),
  provider: fc.constantFrom(null, 'corp', 'google'),
  corp: fc.option(known),
  google: fc.option(known),
  certificate: fc.constantFrom(undefined, 'one', 'two'),
});
/** What it is not known of. */
const circumstances = fc.record({
  at: fc.constantFrom('corp', 'google'),
  acr: fc.constantFrom(null, 'pwd', 'mfa'),
  unknownGroups: fc.constantFrom(null, [], ['eng']),
  address: fc.constantFrom(null, '10.0.0.1', '192.0.2.1'),
  path: fc.constantFrom('/a', '/a/b', '/ab', '/'),
  method: fc.constantFrom('GET', 'POST'),
  shown: fc.constantFrom(null, 'one', 'two'),
});
const ruleList = fc.array(naiveRule, { minLength: 1, maxLength: 5 });

test('couldOpen() says yes or no only where decide() does in any circumstances (DESIGN "Rules")', () => {
  fc.assert(
    fc.property(ruleList, generated, circumstances, (rules, who, of) => {
      const { email, provider, certificate } = who;
      const told = (['corp', 'google'] as const).flatMap((name) => {
        const found = who[name];
        return found === null ? [] : [[name, { ...facts(found.groups), claims: found.claims }] as const];
      });
      const share = shareOf(rules);
      const subject = certificate === undefined ? undefined : { subject: certificate, unit: null };
      const { found } = couldOpen(
        share,
        { email, provider, facts: new Map(told), certificate: subject },
        NOW,
      );
      const at = provider ?? of.at;
      const said = new Map<string, SessionFacts>(told).get(at) ?? facts(of.unknownGroups);
      const session: LiveSession = {
        ...SESSION,
        email,
        providerGeneration: GENERATIONS.get(at)!,
        checkedAt: NOW,
        facts: { ...said, groups: said.groups ?? of.unknownGroups, acr: of.acr, authTime: NOW },
      };
      const commonName = certificate ?? of.shown;
      const shown = commonName === null ? null : { ...CERTIFICATE, commonName, organizationalUnit: null };
      const { address, path, method } = of;
      const request = { ...FACTS, address, path, method, certificate: shown, token: null };
      const isIn = decide(share, session, request, NOW).kind === 'forward';
      if (found.outcome === 'refused') assert.equal(isIn, false);
      // Of somebody who may log in anywhere it says what the best login does.
      if (found.outcome === 'allowed' && found.provider === at) assert.equal(isIn, true);
    }),
    { numRuns: 10_000 },
  );
});
