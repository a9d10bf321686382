// What the app is told of whoever is logged in, beside the address, where its share says so: groups, name and
// subject as headers, in ASCII; the same and the claims in the signed assertion.

import { IDENTITY_PARTS, type IdentityPart } from '../domain/identity-part.ts';
import type { LiveSession } from '../domain/session.ts';
import { NO_FACTS } from '../domain/session-facts.ts';
import type { Share } from '../domain/share.ts';

export type Told = {
  /** By the end of their names, in this order. */
  readonly headers: readonly (readonly [part: IdentityPart, value: string])[];
  /** For the assertion. */
  readonly claims: Readonly<Record<string, unknown>>;
};

export const NOTHING_TOLD: Told = { headers: [], claims: {} };

/** What is not known is not told. */
export function toldOf({ identity }: Pick<Share, 'identity'>, session: LiveSession): Told {
  if (identity.length === 0) return NOTHING_TOLD;
  const { groups, claims, name } = session.facts ?? NO_FACTS;
  const told: Told = {
    headers: [
      ...(groups === null || groups.length === 0 ? [] : ([['groups', groupsText(groups)]] as const)),
      ...(name === null ? [] : ([['name', asciiText(name)]] as const)),
      ['subject', asciiText(session.subject)],
    ],
    claims: {
      ...(groups === null ? {} : { groups }),
      ...(name === null ? {} : { name }),
      claims,
    },
  };
  const asked = new Set<string>(identity);
  const headers = told.headers.filter(([part, value]) => asked.has(part) && value.length <= MAX_HEADER);
  const wanted = Object.fromEntries(Object.entries(told.claims).filter(([part]) => asked.has(part)));
  return { headers, claims: isSmall(wanted) ? wanted : { identity_omitted: omitted(wanted) } };
}

/** An app can split it at each comma, and decode what is between two. */
function groupsText(groups: readonly string[]): string {
  return groups.map((group) => asciiText(group).replaceAll(',', '%2C')).join(',');
}

/**
 * Percent-encoded as UTF-8 (RFC 3986 section 2.1) where it is not visible ASCII, and `%` itself, so that
 * nothing can be read as two: `decodeURIComponent` gives back what the provider said.
 */
function asciiText(text: string): string {
  return text.replaceAll(/[^\x20-\x7e]|%|^ | $/gu, encodeURIComponent);
}

function isSmall(claims: Told['claims']): boolean {
  return Buffer.byteLength(JSON.stringify(claims)) <= MAX_CLAIMS_BYTES;
}

/** An app must be able to tell what is too much from what is not there. */
function omitted(claims: Told['claims']): readonly IdentityPart[] {
  return IDENTITY_PARTS.filter((part) => Object.hasOwn(claims, part));
}

/** What servers commonly take as one header. */
const MAX_HEADER = 8 * 1024;
/**
 * The assertion stays below 34 KiB: with the headers above and a visitor's that is some 64 KiB, and few
 * servers take as many.
 */
const MAX_CLAIMS_BYTES = 24 * 1024;
