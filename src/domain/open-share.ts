// Which shares are open to everyone: those that ask for neither a login nor a client certificate and have no
// rules, and those with a rule that lets in everyone, whatever they ask for.

import type { AccessRuleDocument } from './access-rule.ts';
import type { CertificateRule } from './certificate-rule.ts';
import type { LoginProviders } from './named-providers.ts';

export type Protections = {
  readonly oauthProvider: LoginProviders;
  readonly clientCertificate: CertificateRule | null;
  readonly rules: readonly AccessRuleDocument[];
};

/**
 * A provider that does not exist (any more) protects, too: nobody gets in. Denies protect nothing by
 * themselves: whoever they do not name gets in.
 */
export function isOpenToEveryone({ oauthProvider, clientCertificate, rules }: Protections): boolean {
  if (openingRule(rules) !== null) return true;
  return oauthProvider === null && clientCertificate === null && rules.length === 0;
}

/** The number, from 1, of the first rule that lets in everyone without another condition. */
export function openingRule(rules: readonly AccessRuleDocument[]): number | null {
  const index = rules.findIndex((rule) => JSON.stringify(rule) === OPENING_RULE);
  return index < 0 ? null : index + 1;
}

/** As it is kept: in JSON no other rule, and no text in one, holds these characters. */
export const OPENING_RULE = JSON.stringify({
  allow: { everyone: true },
} satisfies AccessRuleDocument);
