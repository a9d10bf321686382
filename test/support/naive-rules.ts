// A second evaluator of rules, as slow and plain as can be, and rules for it: the first is held against it.
// It knows no globs but a lone `*`, and no ranges but those that end at a dot.

import * as fc from 'fast-check';
import type { AccessRuleDocument, RuleConditions } from '../../src/domain/access-rule.ts';

export type NaiveFacts = {
  readonly provider: string | null;
  readonly email: string | null;
  readonly groups: readonly string[] | null;
  readonly dept: readonly string[] | null;
  readonly acr: string | null;
  readonly authTime: number | null;
  readonly certificate: string | null;
  readonly token: string | null;
  readonly address: string | null;
  readonly path: string;
  readonly method: string;
  readonly now: number;
};

type Who = 'login' | 'certificate' | 'token' | 'nobody';

/** By the number of the rule that lets somebody in on who they are, and whether whoever comes is let in. */
export function naiveDecision(documents: readonly AccessRuleDocument[], facts: NaiveFacts) {
  let identity: number | null = null;
  let everyone = false;
  documents.forEach((document, index) => {
    if (!('allow' in document)) return;
    const who = whoOf(document.allow);
    if (who === 'login' && facts.provider === null) return;
    if (!answers(document.allow, facts, who).every((answer) => answer === 'yes')) return;
    const isDenied = documents.some(
      (other) => 'deny' in other && !answers(other.deny, facts, who, true).some((answer) => answer === 'no'),
    );
    if (isDenied) return;
    if (who === 'nobody') everyone = true;
    else identity ??= index + 1;
  });
  return { identity, everyone };
}

function whoOf(allow: RuleConditions): Who {
  if (allow.providers) return 'login';
  if (allow.certificate) return 'certificate';
  return allow.tokens ? 'token' : 'nobody';
}

function answers(
  asked: RuleConditions,
  facts: NaiveFacts,
  who: Who,
  isDeny = false,
): readonly ('yes' | 'no' | '?')[] {
  const personal = <T>(value: T | null, test: (value: T) => boolean) => {
    if (who === 'certificate') return '?';
    if (who !== 'login') return 'no';
    return value === null ? '?' : yes(test(value));
  };
  const address = (ranges: readonly string[], wanted: boolean) =>
    facts.address === null ? '?' : yes(ranges.some((range) => isInside(range, facts.address!)) === wanted);
  const out: ('yes' | 'no' | '?')[] = [];
  if (asked.everyone) out.push('yes');
  if (asked.until) out.push(yes(asked.until >= '2030-01-01'));
  if (asked.methods) out.push(yes(asked.methods.includes(facts.method)));
  if (asked.paths)
    out.push(
      yes(
        asked.paths.some((path) =>
          path.endsWith('/*')
            ? `${facts.path}/`.startsWith(path.slice(0, -1))
            : path === facts.path ||
              (isDeny && `${path}/`.replace('//', '/') === `${facts.path}/`.replace('//', '/')),
        ),
      ),
    );
  if (asked.addresses) out.push(address(asked.addresses, true));
  if (asked.outside) out.push(address(asked.outside, false));
  if (asked.tokens) out.push(yes(facts.token !== null && has(asked.tokens, [facts.token])));
  if (asked.certificate)
    out.push(
      yes(
        facts.certificate !== null &&
          (asked.certificate.subject === null || asked.certificate.subject === facts.certificate),
      ),
    );
  if (asked.providers) out.push(yes(who === 'login' && asked.providers.includes(facts.provider!)));
  if (asked.emails)
    out.push(personal(facts.email, (email) => asked.emails!.includes('*') || asked.emails!.includes(email)));
  if (asked.groups) out.push(personal(facts.groups, (groups) => has(asked.groups, groups)));
  if (asked.claims?.['dept']) out.push(personal(facts.dept, (dept) => has(asked.claims!['dept'], dept)));
  if (asked.acr) out.push(personal(facts.acr, (acr) => asked.acr!.includes(acr)));
  if (asked.max_age) out.push(personal(facts.authTime, (at) => facts.now - at <= 3_600_000));
  return out;
}

/** `10.0.0.0/8` begins as `10.` does. */
function isInside(range: string, address: string): boolean {
  const [first = '', bits = '32'] = range.split('/');
  const kept = first.split('.').slice(0, Number(bits) / 8);
  return `${address}.`.startsWith(`${kept.join('.')}.`);
}

function yes(value: boolean) {
  return value ? 'yes' : 'no';
}

function has(wanted: readonly string[] | undefined, values: readonly string[]): boolean {
  return values.some((each) => wanted!.includes('*') || wanted!.includes(each));
}

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const some = (...values: readonly string[]) => fc.subarray([...values], { minLength: 1 });

const PATHS = ['/a', '/a/*', '/ab', '/ab/*', '/a/', '/a/b', '/a/b/*', '/a/b/c', '/', '/*'];
const RANGES = ['10.0.0.0/8', '10.0.0.0/16', '10.0.0.1', '192.0.2.0/24'];

const ofRequest = {
  until: maybe(fc.constantFrom('2029-12-31', '2030-01-01')),
  methods: maybe(some('GET', 'POST')),
  paths: maybe(some(...PATHS)),
  addresses: maybe(some(...RANGES)),
  outside: maybe(some(...RANGES)),
};
const ofLogin = {
  emails: maybe(some('*', 'ann@corp.com')),
  groups: maybe(some('eng', 'ops', '*')),
  claims: maybe(fc.record({ dept: some('a', '*') })),
  acr: maybe(some('mfa', 'pwd')),
};
const certificate = fc.constantFrom({ subject: null, unit: null }, { subject: 'one', unit: null });
const tokens = some('deploy', '*');

/** Rules of which many may be about the same request, and few are. */
export const naiveCrowd: fc.Arbitrary<readonly AccessRuleDocument[]> = fc
  .array(
    fc.record({
      kind: fc.constantFrom('allow' as const, 'deny' as const),
      conditions: fc.record({
        methods: maybe(some('GET', 'POST')),
        paths: fc.subarray(PATHS, { minLength: 1, maxLength: 2 }),
        addresses: maybe(fc.subarray(RANGES, { minLength: 1, maxLength: 2 })),
        tokens: maybe(tokens),
        certificate: maybe(certificate),
        providers: fc.constant(['corp', 'google']),
      }),
    }),
    { minLength: 30, maxLength: 100 },
  )
  .map((rules) => rules.map(({ kind, conditions }) => documentOf(kind, conditions)));

/** Any rule that may be written. */
export const naiveRule: fc.Arbitrary<AccessRuleDocument> = fc
  .oneof(
    fc.record({
      kind: fc.constant('allow' as const),
      conditions: fc.record({
        ...ofRequest,
        ...ofLogin,
        providers: some('corp', 'google'),
        max_age: maybe(fc.constant('1h')),
        certificate: maybe(certificate),
        tokens: maybe(tokens),
      }),
    }),
    fc.record({
      kind: fc.constant('allow' as const),
      conditions: fc.record({ ...ofRequest, certificate, tokens: maybe(tokens) }),
    }),
    fc.record({ kind: fc.constant('allow' as const), conditions: fc.record({ ...ofRequest, tokens }) }),
    fc.record({
      kind: fc.constant('allow' as const),
      conditions: fc.record({ ...ofRequest, everyone: fc.constant(true as const) }),
    }),
    fc.record({
      kind: fc.constant('deny' as const),
      conditions: fc
        .record({
          ...ofRequest,
          ...ofLogin,
          providers: maybe(some('corp', 'google')),
          certificate: maybe(certificate),
          tokens: maybe(tokens),
          everyone: maybe(fc.constant(true as const)),
        })
        .filter((conditions) => Object.values(conditions).some((value) => value !== undefined)),
    }),
  )
  .map(({ kind, conditions }) => documentOf(kind, conditions));

function documentOf(kind: 'allow' | 'deny', conditions: object): AccessRuleDocument {
  const said = Object.entries(conditions).filter(([, value]) => value !== undefined);
  return { [kind]: Object.fromEntries(said) } as unknown as AccessRuleDocument;
}
