// Whether a login at a provider can open a share at all, whatever is asked for there: the one answer for the
// callback and for each check. What of it opens what, `decide()` says.

import type { CompiledRule } from './compile-rules.ts';
import { judgePerson, type KnownLogin, NO_REQUEST } from './judged-person.ts';
import type { Person } from './rule-condition.ts';
import type { Share } from './share.ts';
import { rulesOfShare } from './share-rules.ts';

/** Names of those where a login can open anything, in the order of the rules. */
export function loginProviders(share: Share): readonly string[] {
  const { rules, providerNames } = rulesOfShare(share);
  const named = rules.allows.flatMap(({ conditions }) => conditions.providers ?? []);
  return [...new Set(named)].filter((name) => providerNames.includes(name));
}

/** Why it opens nothing; null when it may. */
export function loginRefusal(
  share: Share,
  { provider, email, facts = null }: Pick<KnownLogin, 'provider' | 'email'> & Partial<KnownLogin>,
): 'email_refused' | 'rule_refused' | null {
  const { rules, providerNames } = rulesOfShare(share);
  if (!providerNames.includes(provider)) return 'email_refused';
  const { person, denies } = judgePerson(rules, { kind: 'login', provider, email, facts });
  if (denies.some(({ ofRequest }) => ofRequest.length === 0)) return 'rule_refused';
  if (rules.allows.some((rule) => couldLetIn(rule, person))) return null;
  const named = rules.allows.find(({ conditions }) => conditions.providers?.includes(provider) === true);
  const first = named?.ofPerson.find(
    ({ name, judge }) => name !== 'acr' && judge(person, NO_REQUEST) !== 'held',
  );
  return first === undefined || first.name === 'emails' || first.name === 'providers'
    ? 'email_refused'
    : 'rule_refused';
}

/** Of a login that is too weak for it, too: the next one is asked to be stronger. */
function couldLetIn({ ofPerson }: CompiledRule, person: Person): boolean {
  return (
    ofPerson.length > 0 &&
    ofPerson.every(({ name, judge }) => name === 'acr' || judge(person, NO_REQUEST) === 'held')
  );
}
