// A share that asks for neither a login nor a client certificate, and has no rules, is open to everyone.

import type { AccessRuleDocument } from './access-rule.ts';
import type { CertificateRule } from './certificate-rule.ts';
import type { LoginProviders } from './named-providers.ts';

export type Protections = {
  readonly oauthProvider: LoginProviders;
  readonly clientCertificate: CertificateRule | null;
  readonly rules: readonly AccessRuleDocument[];
};

/** A provider that does not exist (any more) protects, too: nobody gets in. */
export function isOpenToEveryone({ oauthProvider, clientCertificate, rules }: Protections): boolean {
  return oauthProvider === null && clientCertificate === null && rules.length === 0;
}
