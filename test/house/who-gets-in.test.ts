// The rules in docs/how-to/who-gets-in.md decide as the page says: read out of the page, by the program's own
// readers, for somebody who gets in, somebody who does not, and what is not known.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ruleDocument } from '../../src/domain/access-rule.ts';
import type { CertificateFacts } from '../../src/domain/client-certificate.ts';
import { rulesOf } from '../../src/domain/compile-rules.ts';
import { decide, type Decision, type RequestFacts } from '../../src/domain/decision.ts';
import { NO_FACTS, type SessionFacts } from '../../src/domain/session-facts.ts';
import type { Share } from '../../src/domain/share.ts';
import { FACTS, HOUR, NOW as LATER, SESSION } from '../support/decision-rows.ts';
import {
  documentedRecipes,
  documentedShortForms,
  generationOf,
  rulesIn,
  shareByOptions,
  shareByRules,
  wordsOf,
} from '../support/documented-rules.ts';
import { CERTIFICATE } from '../support/rule-facts.ts';

/** Before the end of the rule that ends. */
const NOW = Date.parse('2027-03-31T23:59:59.999Z');

/** Who comes and what for; without an address of email, nobody is logged in. */
type Visit = {
  readonly email?: string;
  /** `corp` unless said. */
  readonly at?: string;
  readonly told?: Partial<SessionFacts>;
  readonly facts?: Partial<RequestFacts>;
  readonly now?: number;
};
type Case = readonly [visit: Visit, expected: string];

const ANN = 'ann@example.com';
const STAFF = certificate({ organizationalUnit: 'Staff' });
const OFFICE = { address: '203.0.113.7' };
const HOME = { address: '198.51.100.9' };

const CASES: Readonly<Record<string, readonly Case[]>> = {
  'Everybody of a domain': [
    [{ email: ANN }, 'in'],
    [{ email: 'Ann@Example.COM' }, 'in'],
    [{ email: 'eve@elsewhere.test' }, 'email_refused'],
    [{ email: 'eve@example.com.evil.test' }, 'email_refused'],
    [{}, 'login at corp'],
  ],
  'A group': [
    [{ email: ANN, told: { groups: ['all', 'eng-web'] } }, 'in'],
    [{ email: ANN, told: { groups: ['all', 'ENG-web'] } }, 'rule_refused'],
    [{ email: ANN, told: { groups: null } }, 'rule_refused'],
    [{}, 'login at corp'],
  ],
  'Two teams on GitHub': [
    [{ email: ANN, at: 'github', told: { groups: ['acme', 'acme/security'] } }, 'in'],
    [{ email: ANN, at: 'github', told: { groups: ['acme/platform'] } }, 'in'],
    [{ email: ANN, at: 'github', told: { groups: ['acme', 'other/platform'] } }, 'rule_refused'],
    [{ email: ANN, at: 'github', told: { groups: null } }, 'rule_refused'],
    [{}, 'login at github'],
  ],
  'Partners by another provider, until a date': [
    [{ email: ANN }, 'in'],
    [{ email: 'pat@partner.example', at: 'google' }, 'in'],
    [{ email: 'eve@elsewhere.test', at: 'google' }, 'email_refused'],
    [{ email: 'pat@partner.example', at: 'google', now: NOW + 1 }, 'login at corp'],
    [{ email: ANN, now: NOW + 1 }, 'in'],
    [{}, 'login at corp, google'],
    [{ now: NOW + 1 }, 'login at corp'],
  ],
  'From the office, or with a company certificate': [
    [{ email: ANN, facts: OFFICE }, 'in'],
    [{ email: ANN, facts: { ...HOME, certificate: STAFF } }, 'in'],
    [{ email: ANN, facts: HOME }, 'certificate_required'],
    [{ email: ANN, facts: { ...HOME, certificate: certificate({}) } }, 'certificate_refused'],
    [{ email: ANN, facts: { address: null } }, 'certificate_required'],
    [{ facts: { ...HOME, certificate: STAFF } }, 'login at corp'],
    [{ facts: OFFICE }, 'login at corp'],
  ],
  'The health check without a login': [
    [{ facts: { path: '/healthz' } }, 'in, without identity'],
    [{ email: ANN }, 'in'],
    [{ facts: { path: '/healthz/' } }, 'login at corp'],
    [{ facts: { path: '/HEALTHZ' } }, 'login at corp'],
    [{ facts: { path: '/%68ealthz' } }, 'ambiguous_path'],
  ],
  'Webhooks, by POST only': [
    [{ facts: { path: '/hooks/ci', method: 'POST' } }, 'in, without identity'],
    [{ facts: { path: '/hooks', method: 'POST' } }, 'in, without identity'],
    [{ facts: { path: '/hooks/ci' } }, 'login at corp'],
    [{ facts: { path: '/hooksmith', method: 'POST' } }, 'login at corp'],
    [{ facts: { path: '/hooks/..%2fadmin', method: 'POST' } }, 'ambiguous_path'],
  ],
  'A service token for a deploy bot': [
    [{ facts: { path: '/api/deploy/web', method: 'POST', token: 'deploy-bot' } }, 'in by token'],
    [{ email: ANN }, 'in'],
    [{ facts: { path: '/api/users', method: 'POST', token: 'deploy-bot' } }, 'login at corp'],
    [{ facts: { path: '/api/deploy/web', method: 'POST', token: 'deploy-bot-2' } }, 'login at corp'],
    [{ facts: { path: '/api/deploy/web', method: 'POST' } }, 'login at corp'],
  ],
  'Never from outside a network': [
    [{ email: ANN, facts: { address: '10.20.30.40' } }, 'in'],
    [{ email: ANN, facts: { address: '2001:db8::7' } }, 'in'],
    [{ email: ANN, facts: HOME }, 'rule_refused'],
    [{ email: ANN, facts: { address: null } }, 'rule_refused'],
    [{ facts: { address: '10.20.30.40' } }, 'login at corp'],
    [{ facts: HOME }, 'rule_refused'],
  ],
  'Never one person': [
    [{ email: ANN }, 'in'],
    [{ email: 'mallory@example.com' }, 'rule_refused'],
    [{ email: 'Mallory@example.com' }, 'rule_refused'],
    [{}, 'login at corp'],
  ],
  'A stronger login for /admin': [
    [{ email: ANN }, 'in'],
    [{ email: ANN, facts: { path: '/admin' }, told: { acr: 'phr', authTime: NOW - HOUR } }, 'in'],
    [
      { email: ANN, facts: { path: '/admin' }, told: { acr: 'pwd', authTime: NOW } },
      'stronger login at corp',
    ],
    [
      { email: ANN, facts: { path: '/admin' }, told: { acr: 'phr', authTime: NOW - HOUR - 1 } },
      'stronger login at corp',
    ],
    [{ email: ANN, facts: { path: '/admin/x' } }, 'stronger login at corp'],
    [{ email: ANN, facts: { path: '/Admin/x' }, told: { acr: 'phr', authTime: NOW } }, 'rule_refused'],
    [{ facts: { path: '/admin' } }, 'login at corp'],
  ],
};

const recipes = documentedRecipes();

test('docs/how-to/who-gets-in.md: at least ten recipes, each of them tried', () => {
  assert.ok(recipes.size >= 10);
  assert.deepEqual([...recipes.keys()], Object.keys(CASES));
});

for (const [title, { file, options }] of recipes) {
  const cases = CASES[title] ?? [];
  test(`recipe "${title}": its rule file lets in whom it says`, () => {
    assertDecides(shareByRules(file), cases);
  });
  if (options !== null)
    test(`recipe "${title}": the options let in the same people`, () => {
      assertDecides(shareByOptions(options), cases);
    });
}

test('docs/how-to/who-gets-in.md: short forms stand for the rules that it shows', () => {
  const rows = documentedShortForms();
  assert.equal(rows.length, 12);
  for (const { options, rules } of rows)
    assert.deepEqual(rulesOfShort(shareByOptions(wordsOf(options))), rulesIn(rules), options);
});

test('README.md: the rule that it shows is one', () => {
  const readme = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8');
  const [, rule = ''] = /`(allow: [^`]*)`/.exec(readme) ?? [];
  assertDecides(shareByRules(`- ${rule}\n`), [
    [{ email: 'pat@partner.example', at: 'google' }, 'in'],
    [{ email: 'pat@partner.example', at: 'google', now: NOW + 1 }, 'rule_refused'],
    [{ email: ANN, at: 'google' }, 'email_refused'],
    [{}, 'login at google'],
  ]);
});

test('docs/how-to/who-gets-in.md: who is denied by address still opens what is open to everyone', () => {
  const share = withRules('Never one person', '- allow: { everyone: true, paths: [/healthz] }');
  assertDecides(share, [
    [{ email: 'mallory@example.com', facts: { path: '/healthz' } }, 'in, without identity'],
    [{ email: 'mallory@example.com' }, 'rule_refused'],
    [{ email: ANN, facts: { path: '/healthz' } }, 'in'],
  ]);
});

test('docs/how-to/who-gets-in.md: a deny of a network lets in nothing else from elsewhere', () => {
  const share = withRules(
    'Never from outside a network',
    '- allow: { certificate: {} }',
    '- allow: { tokens: [deploy-bot] }',
    '- allow: { everyone: true, paths: [/healthz] }',
  );
  const facts = { certificate: STAFF, token: 'deploy-bot', path: '/healthz' };
  assertDecides(share, [
    [{ email: ANN, facts: { ...facts, ...HOME } }, 'rule_refused'],
    [{ facts: { path: '/healthz', ...HOME } }, 'rule_refused'],
    [{ facts: { path: '/healthz', address: '10.0.0.1' } }, 'in, without identity'],
  ]);
});

test('docs/how-to/who-gets-in.md: a deny refuses what is not known, and not what is known to be none', () => {
  const share = withRules(
    'Never one person',
    '- allow: { certificate: {} }',
    '- allow: { tokens: [deploy-bot] }',
  );
  assertDecides(share, [
    [{ facts: { certificate: STAFF } }, 'rule_refused'],
    [{ email: ANN, facts: { certificate: STAFF } }, 'in'],
    [{ facts: { token: 'deploy-bot' } }, 'in by token'],
  ]);
  const ofGroups = shareByRules('- allow: { providers: [corp] }\n- deny: { groups: [contractors] }\n');
  assertDecides(ofGroups, [
    [{ email: ANN, told: { groups: [] } }, 'in'],
    [{ email: ANN, told: { groups: null } }, 'rule_refused'],
  ]);
});

test('docs/how-to/who-gets-in.md: another case of letters gets around a stricter allow beside one for all paths', () => {
  const weak = { email: ANN, told: { acr: 'pwd' } };
  const strict = "- allow: { providers: [corp], paths: ['/admin/*'], acr: [phr] }\n";
  assertDecides(shareByRules(`${strict}- allow: { providers: [corp] }\n`), [
    [{ ...weak, facts: { path: '/Admin/x' } }, 'in'],
  ]);
  assertDecides(shareByRules(`${strict}- allow: { providers: [corp], paths: [/, '/app/*'] }\n`), [
    [{ ...weak, facts: { path: '/app/x' } }, 'in'],
    [{ ...weak, facts: { path: '/App/x' } }, 'rule_refused'],
    [{ ...weak, facts: { path: '/Admin/x' } }, 'rule_refused'],
    [{ ...weak, facts: { path: '/admin/x' } }, 'stronger login at corp'],
  ]);
});

test('docs/how-to/who-gets-in.md: a deny holds paths and groups in any case', () => {
  const share = shareByRules(
    `- allow: { providers: [corp] }
- deny: { everyone: true, paths: ['/admin/*', /secret] }
- deny: { groups: [contractors] }
`,
  );
  assertDecides(share, [
    [{ email: ANN, told: { groups: [] }, facts: { path: '/Admin/x' } }, 'rule_refused'],
    [{ email: ANN, told: { groups: [] }, facts: { path: '/SECRET/' } }, 'rule_refused'],
    [{ email: ANN, told: { groups: ['Contractors'] } }, 'rule_refused'],
    [{ email: ANN, told: { groups: ['staff'] } }, 'in'],
  ]);
});

function assertDecides(share: Share, cases: readonly Case[]): void {
  for (const [visit, expected] of cases)
    assert.equal(outcomeOf(decisionFor(share, visit)), expected, JSON.stringify(visit));
}

function decisionFor(share: Share, { email, at = 'corp', told, facts, now = NOW }: Visit): Decision {
  const session =
    email === undefined
      ? null
      : {
          ...SESSION,
          email,
          providerGeneration: generationOf(at),
          checkedAt: now - 1,
          expiresAt: now + HOUR,
          facts: { ...NO_FACTS, ...told },
        };
  return decide(share, session, { ...FACTS, ...facts }, now);
}

function outcomeOf(decision: Decision): string {
  switch (decision.kind) {
    case 'forward':
      if (decision.token !== null) return 'in by token';
      return decision.session === null && decision.certificate === null ? 'in, without identity' : 'in';
    case 'login':
      return `${decision.reason === 'login_too_weak' ? 'stronger ' : ''}login at ${decision.providers.join(', ')}`;
    case 'refuse':
      return decision.code;
    case 'recheck':
      return 'recheck';
  }
}

function withRules(title: string, ...more: readonly string[]): Share {
  const file = recipes.get(title)?.file ?? '';
  return shareByRules(`${file}${more.map((rule) => `  ${rule}\n`).join('')}`);
}

function rulesOfShort({ login, ...share }: Share) {
  const { named: providers = [], emailPatterns: emails = [] } = login ?? {};
  const sources = { ...share, providers, emails, groups: share.allowGroups, definitions: new Map() };
  return rulesOf(sources).map(ruleDocument);
}

function certificate(more: Partial<CertificateFacts>): CertificateFacts {
  return { ...CERTIFICATE, notAfter: LATER, goodUntil: LATER, notBefore: 0, ...more };
}
