// A list of people as tokens, and the links that came of it as a file.

import { labelIn, type TokenOutcome } from '../../../src/client/create-tokens.ts';
import type { CertificatePerson } from '../../../src/domain/certificate-people.ts';
import { csvLine } from '../../../src/domain/csv-line.ts';
import type { NewTokenObject, PolicyObject } from '../../../src/wire/certificate.ts';
import { newTokenOf, type TokenInput } from './token-input.ts';

/** What is said for all of them holds where a line says nothing else. `list` is in each label. */
export function tokensOf(
  people: readonly CertificatePerson[],
  {
    input,
    policy,
    list,
  }: { readonly input: TokenInput; readonly policy: PolicyObject; readonly list: string },
): readonly NewTokenObject[] {
  return people.map(({ email, commonName, days }) => ({
    ...newTokenOf({ ...input, commonName, emailAddress: email, name: labelIn(list, commonName) }, policy),
    ...(days === null ? {} : { validity: `${days}d` }),
  }));
}

/** A name for the list that no other has. */
export function newListName(): string {
  return crypto.randomUUID().slice(0, LIST_DIGITS);
}

/** Those that were made. */
export function linksFile(outcomes: readonly (TokenOutcome | null)[]): string {
  const lines = outcomes.flatMap((outcome) => {
    if (outcome?.made === undefined || outcome.made === null) return [];
    const { emailAddress, commonName, redeemUrl, expiresAt } = outcome.made;
    return [csvLine([emailAddress ?? '', commonName, redeemUrl, expiresAt])];
  });
  return [csvLine(['email', 'name', 'link', 'valid until']), ...lines].join('');
}

const LIST_DIGITS = 8;
