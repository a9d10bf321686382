// What an OpenID provider says of a person beside who it is: groups, claims, name, and how they logged in
// (OpenID Connect Core section 2). Groups and claims count only as they are now: from the user info, and from
// an id token that came with the very tokens it is asked about.

import type { Identity } from '../domain/identity.ts';
import type { SessionFacts } from '../domain/session-facts.ts';
import { firstClaim, readClaims, readGroups, readShortText, textsOf } from './claimed-values.ts';
import { withGroups } from './groups-or-fault.ts';
import { CLOCK_TOLERANCE_SECONDS } from './openid-client.ts';
import type { Claims } from './provider-values.ts';

export type FactsWanted = {
  /** Where groups are named, or how they are told; null when nobody asks. */
  readonly groups: string | ((documents: readonly Claims[]) => readonly string[] | null) | null;
  readonly claims: readonly string[];
};

/** What was said just now, the more telling first, and the id token of the login or a later one. */
export type Said = {
  readonly now: readonly Claims[];
  readonly idToken: Claims;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/** `elsewhere`: asks where the provider says that the groups are, since they are too many for a token. */
export async function readOpenIdFacts(
  wanted: FactsWanted,
  said: Said,
  elsewhere: () => Promise<readonly string[]>,
): Promise<Required<Pick<Identity, 'facts'>> & Pick<Identity, 'groupsFault'>> {
  const { acr, amr, auth_time: authTime } = said.idToken;
  const facts: SessionFacts = {
    groups: null,
    claims: readClaims(said.now, wanted.claims),
    acr: readShortText(acr),
    amr: Array.isArray(amr) && amr.length <= MAX_AMR ? (textsOf(amr) ?? []) : [],
    authTime: readAuthTime(authTime, said.at),
    name: readShortText(firstClaim(said.now, 'name')),
  };
  return withGroups(facts, () => groupsOf(wanted, said, elsewhere));
}

async function groupsOf(
  { groups }: FactsWanted,
  { now }: Said,
  elsewhere: () => Promise<readonly string[]>,
): Promise<readonly string[] | null> {
  if (groups === null) return null;
  if (typeof groups === 'function') return groups(now);
  const claim = firstClaim(now, groups);
  if (claim !== undefined || !now.some((document) => isElsewhere(document, groups))) return readGroups(claim);
  return readGroups(await elsewhere());
}

/**
 * The claim is another server's to tell (Core section 5.6.2), or, as Entra says it where it has no room for
 * that, there are some.
 */
function isElsewhere(document: Claims, claim: string): boolean {
  const names = document['_claim_names'];
  if (typeof names === 'object' && names !== null && Object.hasOwn(names, claim)) return true;
  const { hasgroups } = document;
  return claim === 'groups' && (hasgroups === true || hasgroups === 'true');
}

/** `hd` of Google Workspace: the domain of the organization whose account it is; other accounts have none. */
export function hostedDomainGroups(documents: readonly Claims[]): readonly string[] | null {
  const domain = firstClaim(documents, 'hd');
  if (domain === undefined) return documents.length === 0 ? null : [];
  return typeof domain === 'string' && DOMAIN.test(domain) ? [`hd:${domain.toLowerCase()}`] : null;
}

/** One that is yet to come would stay fresh until then. */
function readAuthTime(seconds: unknown, now: number): number | null {
  if (typeof seconds !== 'number' || !Number.isSafeInteger(seconds) || seconds < 0) return null;
  return seconds * 1000 <= now + CLOCK_TOLERANCE_SECONDS * 1000 ? seconds * 1000 : null;
}

/** Real logins have two or three. */
const MAX_AMR = 20;
const DOMAIN = /^[A-Za-z0-9.-]{1,253}$/;
