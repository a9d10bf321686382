// What rules cost a request: `decide()` alone, in this process. Shares with a hundred rules of each kind, and
// a session with a thousand groups, each beside a share with a login and no rules of its own.

import type { AccessRuleDocument } from '../../src/domain/access-rule.ts';
import { decide, type RequestFacts } from '../../src/domain/decision.ts';
import type { LiveSession } from '../../src/domain/session.ts';
import type { Share } from '../../src/domain/share.ts';
import { FACTS, NOW, SESSION, SHARE } from '../../test/support/decision-rows.ts';
import { CERTIFICATE } from '../../test/support/rule-facts.ts';
import type { Size } from '../size.ts';

/** CPU µs of one decision by the kind of its rules: one number for each round. */
export type RuleMeasures = Readonly<Record<string, readonly number[]>>;

export const REQUEST_COUNT = 64;
export const NO_RULES_KIND = 'no rules of its own';
export const ONE_GROUP_KIND = 'a deny on groups, and a session of 1 group';
export const MANY_GROUPS_KIND = 'a deny on groups, and a session of 1,000 groups';

export function measureRules({ rounds, decisions }: Size): RuleMeasures {
  const measures: Record<string, number[]> = Object.fromEntries(Object.keys(CASES).map((name) => [name, []]));
  for (const each of Object.values(CASES)) time(each, decisions);
  for (let round = 0; round < rounds; round++)
    for (const [name, each] of Object.entries(CASES)) measures[name]?.push(time(each, decisions));
  return measures;
}

type Case = { readonly share: Share; readonly session: LiveSession };

/** The paths take turns, as those of visitors do. */
function time({ share, session }: Case, decisions: number): number {
  let forwarded = 0;
  const before = process.cpuUsage();
  for (let at = 0; at < decisions; at++) {
    const facts = REQUESTS[at % REQUESTS.length] ?? FACTS;
    if (decide(share, session, facts, NOW).kind === 'forward') forwarded++;
  }
  const { user, system } = process.cpuUsage(before);
  if (forwarded < decisions) throw new Error('Cannot measure: a decision refused');
  return (user + system) / decisions;
}

/** None of the first 99 rules is about the request. */
function ruled(rule: (number: number) => AccessRuleDocument, last?: AccessRuleDocument): Case {
  const rules = Array.from({ length: 100 }, (_, number) => rule(number));
  if (last === undefined) return { share: { ...SHARE, rules }, session: ofGroups(1) };
  const login = SHARE.login === null ? null : { ...SHARE.login, named: [] };
  return { share: { ...SHARE, login, rules: [...rules.slice(1), last] }, session: ofGroups(1) };
}

function ofGroups(count: number): LiveSession {
  const groups = Array.from({ length: count }, (_, number) => `group-${number}`);
  return { ...SESSION, facts: { groups, claims: {}, acr: null, amr: [], authTime: null, name: null } };
}

/** Of each four one: groups, addresses of people, everyone with a method, outside; each on its path. */
function mixed(number: number): AccessRuleDocument {
  if (number % 4 === 0)
    return { allow: { providers: ['corp'], groups: [`group-${number}-*`], paths: [`/area-${number}/*`] } };
  if (number % 4 === 1) return { deny: { emails: [`mallory${number}@*`], paths: [`/admin-${number}/*`] } };
  if (number % 4 === 2) return { allow: { everyone: true, paths: [`/open-${number}/*`], methods: ['GET'] } };
  return { deny: { outside: ['0.0.0.0/0'], paths: [`/page-${number}`] } };
}

const ANYBODY: AccessRuleDocument = { allow: { providers: ['corp'] } };
const BY_GROUP: Share = { ...SHARE, rules: [{ deny: { groups: ['suspended*'] } }] };

const CASES: Readonly<Record<string, Case>> = {
  [NO_RULES_KIND]: { share: SHARE, session: ofGroups(1) },
  '100 rules of several kinds, each with a path': ruled(mixed),
  '100 denies on paths': ruled((n) => ({ deny: { everyone: true, paths: [`/area-${n}/*`] } })),
  '100 denies on paths that the request is under, for another method': ruled((n) => ({
    deny: { paths: ['/wiki/*', `/area-${n}/*`], methods: ['DELETE'] },
  })),
  '100 allows on paths, of which the last lets in': ruled(
    (n) => ({ allow: { providers: ['corp'], paths: [`/area-${n}/*`] } }),
    { allow: { providers: ['corp'], paths: ['/wiki/*'] } },
  ),
  '100 denies on address ranges': ruled((n) => ({ deny: { everyone: true, addresses: [`10.${n}.0.0/16`] } })),
  '100 denies outside address ranges': ruled((n) => ({
    deny: { outside: [`10.${n}.0.0/16`, '192.0.2.0/24'] },
  })),
  '100 allows of certificates, then one of logins': ruled(
    (n) => ({ allow: { certificate: { subject: `build-${n}.example.com`, unit: null } } }),
    ANYBODY,
  ),
  // A request that brings a token is judged by it alone.
  '100 allows of service tokens, of which the last lets in': ruled(
    (n) => ({ allow: { tokens: [`deploy-${n}-*`] } }),
    { allow: { tokens: ['backup-*'] } },
  ),
  '100 denies on groups': ruled((n) => ({ deny: { groups: [`suspended-${n}-*`] } })),
  [ONE_GROUP_KIND]: { share: BY_GROUP, session: ofGroups(1) },
  [MANY_GROUPS_KIND]: { share: BY_GROUP, session: ofGroups(1_000) },
};

const REQUESTS: readonly RequestFacts[] = Array.from({ length: REQUEST_COUNT }, (_, number) => ({
  ...FACTS,
  path: `/wiki/page/${number}`,
  address: '192.0.2.1',
  certificate: { ...CERTIFICATE },
  token: 'backup-1',
}));
