// What is asked for in the form of a request token, and what the account's rules say of it.

import type { NewTokenObject, PolicyObject } from '../../../src/wire/certificate.ts';

/** As it is typed; empty is not said. */
export type TokenInput = {
  readonly commonName: string;
  readonly emailAddress: string;
  readonly name: string;
  readonly organization: string;
  readonly unit: string;
  readonly validity: string;
  readonly expiresIn: string;
  readonly renewableFor: string;
  readonly apiRole: '' | 'tunnel' | 'member' | 'admin';
};

export function firstInput({ organizationalUnits }: PolicyObject): TokenInput {
  return {
    commonName: '',
    emailAddress: '',
    name: '',
    organization: '',
    unit: organizationalUnits[0] ?? '',
    validity: '',
    expiresIn: '',
    renewableFor: '',
    apiRole: '',
  };
}

/** What is empty is left to the service; the organization of the rules is too. */
export function newTokenOf(input: TokenInput, { organization }: PolicyObject): NewTokenObject {
  return {
    name: said(input.name) ?? input.commonName.trim(),
    commonName: input.commonName.trim(),
    emailAddress: said(input.emailAddress),
    organization: organization === null ? said(input.organization) : undefined,
    organizationalUnit: said(input.unit),
    validity: said(input.validity),
    expiresIn: said(input.expiresIn),
    renewableFor: said(input.renewableFor),
    apiRole: input.apiRole === '' ? undefined : input.apiRole,
  };
}

export function nameHelp({ commonNamePattern }: PolicyObject): string {
  const what = 'Whom or what it is for, such as ann or build-robot.';
  return commonNamePattern === null ? what : `${what} The account’s rules require ${commonNamePattern}.`;
}

export function validityHelp({ maxValidity }: PolicyObject): string {
  return maxValidity === null
    ? 'Default 30d, at most 397d.'
    : `Default 30d; the account’s rules allow at most ${maxValidity}.`;
}

export function renewableHelp({ renewableFor }: PolicyObject): string {
  if (renewableFor === 'none') return 'The account’s rules allow no renewal.';
  return `Counted from the first certificate. At most ${renewableFor ?? '397d'}, which is the default. “none”: never.`;
}

function said(text: string): string | undefined {
  return text.trim() === '' ? undefined : text.trim();
}
