// The rule that refused somebody, as an event tells it: only a deny refuses. Whoever no rule lets in, none
// refused.

import { ruleDocument } from './access-rule.ts';
import type { RuleSource } from './compile-rules.ts';
import { judgePerson, type KnownLogin } from './judged-person.ts';
import { ruleText } from './rule-text.ts';
import type { Share } from './share.ts';
import { rulesOfShare } from './share-rules.ts';

/** `3: deny emails *@evil.test`; null for what refused nobody. */
export function refusingRule(share: Share, source: RuleSource | null): string | null {
  const rule = rulesOfShare(share).rules.denies.find((deny) => deny.source === source);
  return rule === undefined ? null : `${source}: ${ruleText(ruleDocument(rule))}`;
}

/** As `refusingRule()`, of whoever `loginRefusal()` lets nowhere. */
export function ruleRefusingLogin(
  share: Share,
  { provider, email, facts = null }: Pick<KnownLogin, 'provider' | 'email'> & Partial<KnownLogin>,
): string | null {
  const { denies } = judgePerson(rulesOfShare(share).rules, { kind: 'login', provider, email, facts });
  const deny = denies.find(({ ofRequest }) => ofRequest.length === 0);
  return deny === undefined ? null : refusingRule(share, deny.source);
}
