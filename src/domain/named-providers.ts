// Which providers a share names: for its login, and in its rules.

import type { AccessRuleDocument, RuleConditions } from './access-rule.ts';

/**
 * The providers of a login, as people and callers write them: null for none, a name (contract 2.3), or a list
 * of several.
 */
export type LoginProviders = string | readonly string[] | null;

/** More is a directory of its own. */
export const MAX_LOGIN_PROVIDERS = 20;

export function providerNames(providers: LoginProviders): readonly string[] {
  if (providers === null) return [];
  return typeof providers === 'string' ? [providers] : providers;
}

/** Each once; a list only where there are several. */
export function loginProviders(names: readonly string[]): LoginProviders {
  const each = [...new Set(names)];
  return each.length > 1 ? each : (each[0] ?? null);
}

export type ProviderNames = {
  readonly oauthProvider: LoginProviders;
  readonly rules: readonly AccessRuleDocument[];
};

/** Each once, those of the login first. */
export function namedProviders({ oauthProvider, rules }: ProviderNames): readonly string[] {
  const names = rules.flatMap((rule) => conditionsOf(rule).providers ?? []);
  return [...new Set([...providerNames(oauthProvider), ...names])];
}

/** That of the login where it is one: what an event names. Of several, before and after tell. */
export function onlyProvider({ oauthProvider }: Pick<ProviderNames, 'oauthProvider'>): string | null {
  return typeof oauthProvider === 'string' ? oauthProvider : null;
}

export function conditionsOf(rule: AccessRuleDocument): RuleConditions {
  return 'allow' in rule ? rule.allow : rule.deny;
}
