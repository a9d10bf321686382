// What somebody says of a visitor when they ask beforehand who gets in. What they leave out is not known:
// the rules are the gate's own, with each condition blurred that asks for what was left out.

import type { ConditionName } from './access-rule.ts';
import { type CertificateFacts, certificateRefusal } from './client-certificate.ts';
import type { CompiledRule, CompiledRules } from './compile-rules.ts';
import type { AccountId } from './id.ts';
import type { KnownLogin } from './judged-person.ts';
import { comparablePath } from './path-rule.ts';
import type { Condition, RequestPart } from './rule-condition.ts';

export type AskedFacts = {
  readonly email?: string | undefined;
  readonly provider?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly claims?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly acr?: string | undefined;
  /** The client's. */
  readonly address?: string | undefined;
  /** One that is good, and what is in it; null: none comes. */
  readonly certificate?: AskedCertificate | null | undefined;
  /** The name of the service token; null: none comes. */
  readonly token?: string | null | undefined;
  readonly path?: string | undefined;
  readonly method?: string | undefined;
};

export type AskedCertificate = {
  readonly subject?: string | undefined;
  /** Null: it has none. */
  readonly unit?: string | null | undefined;
};

/** Whether anything is said that only a login tells. */
export function saysLogin({ email, provider, groups, claims, acr }: AskedFacts): boolean {
  return [email, provider, groups, claims, acr].some((fact) => fact !== undefined);
}

/**
 * What of it the gate looks at. A service token that counts is all that it looks at of who comes, so whoever
 * counts by their login comes without one.
 */
export function countedFacts(rules: CompiledRules, facts: AskedFacts): AskedFacts {
  const { address, certificate, path, method } = facts;
  const ofRequest = { address, certificate, path, method };
  if (typeof facts.token === 'string' && rules.asksToken) return { ...ofRequest, token: facts.token };
  return saysLogin(facts) || !rules.asksToken ? { ...facts, token: null } : facts;
}

/** Somebody who has logged in at this moment. */
export function askedPerson({ email, groups, claims, acr }: AskedFacts, provider: string, now: number) {
  return {
    kind: 'login',
    provider,
    email: email ?? null,
    facts: {
      groups: groups ?? null,
      claims: claims ?? {},
      acr: acr ?? null,
      amr: [],
      authTime: now,
      name: null,
    },
  } as const satisfies KnownLogin;
}

export type AskedAt = { readonly accountId: AccountId; readonly asksPath: boolean; readonly now: number };

/** Null where other programs could read the path as another one, so that the gate would not compare it. */
export function askedRequest(
  { path, method, address, certificate, token }: AskedFacts,
  { accountId, asksPath, now }: AskedAt,
): RequestPart | null {
  const compared = path === undefined || !asksPath ? (path ?? null) : comparablePath(path);
  if (path !== undefined && compared === null) return null;
  const shown = certificate ?? null;
  return {
    accountId,
    path: compared,
    method: method ?? '',
    address: address ?? null,
    certificate: shown === null ? null : goodCertificate(shown, accountId),
    token: token ?? null,
    now,
  };
}

/** Judged as ever, but for what is not said. */
export function rulesAsAsked(rules: CompiledRules, facts: AskedFacts): CompiledRules {
  const blurAll = (all: readonly CompiledRule[]) => all.map((rule) => blurRule(rule, facts));
  return {
    ...rules,
    all: blurAll(rules.all),
    allows: blurAll(rules.allows),
    everyone: blurAll(rules.everyone),
    denies: blurAll(rules.denies),
    // It would leave out rules for what is not said.
    index: { failing: () => [] },
  };
}

function blurRule(rule: CompiledRule, facts: AskedFacts): CompiledRule {
  const blur = (conditions: readonly Condition[]) =>
    conditions.map(({ name, judge }) => ({ name, judge: blurs[name]?.({ rule, facts, judge }) ?? judge }));
  return {
    ...rule,
    asked: blur(rule.asked),
    ofRequest: blur(rule.ofRequest),
    ofPerson: blur(rule.ofPerson),
    ofTime: blur(rule.ofTime),
  };
}

type Blur = (of: {
  readonly rule: CompiledRule;
  readonly facts: AskedFacts;
  readonly judge: Condition['judge'];
}) => Condition['judge'];

/** Of the other conditions the gate itself may not know what they ask for. */
const blurs: Partial<Record<ConditionName, Blur>> = {
  paths: ({ facts, judge }) => (facts.path === undefined ? unknown : judge),
  // Without a path the gate would take it for a page of its own.
  methods: ({ facts, judge }) =>
    facts.method === undefined
      ? unknown
      : (person, request) => judge(person, { ...request, path: request.path ?? '/' }),
  tokens: ({ facts, judge }) => (facts.token === undefined ? unknown : judge),
  certificate: ({ rule, facts: { certificate }, judge }) => {
    if (certificate === undefined) return unknown;
    return certificate === null ? judge : certificateJudge(rule, certificate, judge);
  },
  providers:
    ({ judge }) =>
    (person, request) =>
      person.kind === 'login' && person.provider === UNSAID_PROVIDER ? 'unknown' : judge(person, request),
};

/** What is said of it may already be wrong. */
function certificateJudge(
  { conditions }: CompiledRule,
  { subject, unit }: AskedCertificate,
  judge: Condition['judge'],
): Condition['judge'] {
  const asked = conditions.certificate ?? { subject: null, unit: null };
  const said = {
    subject: subject === undefined ? null : asked.subject,
    unit: unit === undefined ? null : asked.unit,
  };
  if (said.subject === asked.subject && said.unit === asked.unit) return judge;
  return (_person, { accountId, certificate, now }) =>
    certificateRefusal({ accountId, rule: said }, certificate, now) === null ? 'unknown' : 'failed';
}

function goodCertificate({ subject, unit }: AskedCertificate, accountId: AccountId): CertificateFacts {
  return {
    accountId,
    commonName: subject ?? '',
    organizationalUnit: unit ?? null,
    subject: '',
    serial: '',
    fingerprint: '',
    notBefore: -Infinity,
    notAfter: Infinity,
    goodUntil: Infinity,
    clientAuth: true,
    tunnelOnly: false,
    revoked: false,
  };
}

const unknown: Condition['judge'] = () => 'unknown';
/** No provider has this name. */
export const UNSAID_PROVIDER = '';
