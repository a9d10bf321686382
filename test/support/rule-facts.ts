// A share's rules, a person and a request that the tests of rules change in one place each.

import type { AccessRuleDocument, RuleConditions } from '../../src/domain/access-rule.ts';
import type { CertificateFacts } from '../../src/domain/client-certificate.ts';
import type { RuleSources } from '../../src/domain/compile-rules.ts';
import type { KnownLogin } from '../../src/domain/judged-person.ts';
import type { RequestPart } from '../../src/domain/rule-condition.ts';

export const NOW = Date.UTC(2030, 0, 1, 12);

export const NO_RULES: RuleSources = {
  providers: [],
  emails: [],
  groups: [],
  clientCertificate: null,
  access: 'all',
  allowPaths: [],
  allowAddresses: [],
  denyEmails: [],
  rules: [],
  definitions: new Map(),
};

export const PERSON: KnownLogin = {
  kind: 'login',
  provider: 'corp',
  email: 'ann@corp.com',
  facts: {
    groups: ['eng-web'],
    claims: { dept: ['search'] },
    acr: 'mfa',
    amr: [],
    authTime: NOW - 60_000,
    name: null,
  },
};

export const CERTIFICATE: CertificateFacts = {
  accountId: 'acc_1',
  commonName: 'build-1.ci',
  organizationalUnit: 'CI',
  subject: 'CN=build-1.ci,OU=CI',
  serial: '0A',
  fingerprint: 'f'.repeat(64),
  notBefore: NOW - 1_000,
  notAfter: NOW + 1_000_000,
  goodUntil: NOW + 1_000_000,
  clientAuth: true,
  tunnelOnly: false,
  revoked: false,
};

export const REQUEST: RequestPart = {
  accountId: 'acc_1',
  path: '/app/page',
  method: 'GET',
  address: '10.1.2.3',
  certificate: CERTIFICATE,
  token: 'deploy-1',
  now: NOW,
};

export function allowing(conditions: RuleConditions): AccessRuleDocument {
  return { allow: conditions };
}

export function denying(conditions: RuleConditions): AccessRuleDocument {
  return { deny: conditions };
}
