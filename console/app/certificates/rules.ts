// The account's rules for certificates, as they are typed and as they are told.

import type { PolicyObject } from '../../../src/wire/certificate.ts';

/** As they are typed: a unit a line, nothing where anything goes. */
export type Rules = {
  readonly organization: string;
  readonly units: string;
  readonly commonNamePattern: string;
  readonly maxValidity: string;
  readonly renewalByLogin: boolean;
  readonly renewableFor: string;
};

export function rulesOf(policy: PolicyObject): Rules {
  return {
    organization: policy.organization ?? '',
    units: policy.organizationalUnits.join('\n'),
    commonNamePattern: policy.commonNamePattern ?? '',
    maxValidity: policy.maxValidity ?? '',
    renewalByLogin: policy.renewalByLogin,
    renewableFor: policy.renewableFor ?? '',
  };
}

export function policyOf({
  organization,
  units,
  commonNamePattern,
  maxValidity,
  ...rules
}: Rules): PolicyObject {
  return {
    organization: said(organization),
    organizationalUnits: units.split('\n').flatMap((unit) => said(unit) ?? []),
    commonNamePattern: said(commonNamePattern),
    maxValidity: said(maxValidity),
    renewalByLogin: rules.renewalByLogin,
    renewableFor: said(rules.renewableFor),
  };
}

/** What differs; null when nothing does. */
export function changedRules(before: PolicyObject, after: PolicyObject): Partial<PolicyObject> | null {
  const changed = Object.entries(after).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof PolicyObject]),
  );
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

export function ruleWords(policy: PolicyObject): Readonly<Record<string, string>> {
  const { organization, organizationalUnits, commonNamePattern, maxValidity, renewalByLogin, renewableFor } =
    policy;
  return {
    Organization: organization ?? 'any organization, or none',
    Units: organizationalUnits.length === 0 ? 'any unit, or none' : organizationalUnits.join(', '),
    'Common names match': commonNamePattern ?? 'anything',
    'Valid for at most': maxValidity ?? '397d',
    'Can be renewed for':
      renewableFor === 'none' ? 'none' : `${renewableFor ?? '397d'} after the first certificate`,
    'Renewal by logging in': renewalByLogin ? 'before it expires, by its holder' : 'no',
  };
}

function said(text: string): string | null {
  return text.trim() === '' ? null : text.trim();
}
