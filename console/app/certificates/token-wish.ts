// What is asked for in the form of a request token, and what the account's rules say of it.

import type { NewTokenObject, PolicyObject } from '../../../src/wire/certificate.ts';

/** As it is typed; empty is not said. */
export type TokenWish = {
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

export function firstWish({ organizationalUnits }: PolicyObject): TokenWish {
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
export function newTokenOf(wish: TokenWish, { organization }: PolicyObject): NewTokenObject {
  return {
    name: said(wish.name) ?? wish.commonName.trim(),
    commonName: wish.commonName.trim(),
    emailAddress: said(wish.emailAddress),
    organization: organization === null ? said(wish.organization) : undefined,
    organizationalUnit: said(wish.unit),
    validity: said(wish.validity),
    expiresIn: said(wish.expiresIn),
    renewableFor: said(wish.renewableFor),
    apiRole: wish.apiRole === '' ? undefined : wish.apiRole,
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
