// Which providers a share names: for its login, and in its rules.

import type { AccessRuleDocument, RuleConditions } from './access-rule.ts';

export type ProviderNames = {
  readonly oauthProvider: string | null;
  readonly rules: readonly AccessRuleDocument[];
};

/** Each once, that of the login first. */
export function namedProviders({ oauthProvider, rules }: ProviderNames): readonly string[] {
  const names = rules.flatMap((rule) => conditionsOf(rule).providers ?? []);
  return [...new Set([...(oauthProvider === null ? [] : [oauthProvider]), ...names])];
}

export function conditionsOf(rule: AccessRuleDocument): RuleConditions {
  return 'allow' in rule ? rule.allow : rule.deny;
}
