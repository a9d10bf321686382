// The identity headers of each session, written once for as long as their assertion is used: a signature costs 25 µs, and what a
// request would spend on checking and writing them costs 3 µs.

import { LRUCache } from 'lru-cache';
import { ServiceError } from '../domain/service-error.ts';
import type { LiveSession } from '../domain/session.ts';
import type { Share } from '../domain/share.ts';
import { atMost } from './at-most.ts';
import type { Assertions } from './assertion.ts';
import { appendIdentityHeaders } from './identity-headers.ts';
import { WrittenFields } from './upstream/request-head.ts';

export type IdentityOptions = {
  /** `gateway.identity_header_prefix`. */
  readonly prefix: string;
  readonly assertions: Assertions;
  /** The origin of a share host as visitors see it. */
  readonly originOf: (host: string) => string;
};

/**
 * What a backend is told of a session; the assertion in it is valid for at least four more minutes, or until the session
 * expires. Throws `internal` when the share has no provider, or rather than write an unclean value.
 */
export type Identities = (facts: IdentityFacts, now: number) => WrittenFields;

export type IdentityFacts = {
  readonly share: Share;
  /** Of the share's hosts the one that was asked, in lower case and without port. */
  readonly host: string;
  readonly session: LiveSession;
};

export function createIdentities({ prefix, assertions, originOf }: IdentityOptions): Identities {
  const kept = new LRUCache<string, Identity>(atMost(MAX_KEPT));
  return (facts, now) => {
    const { share, host, session } = facts;
    const known = kept.get(session.id);
    if (known !== undefined && isCurrent(known, now) && tellsOf(known, facts)) return known.fields;
    const provider = share.login?.provider?.name;
    if (provider === undefined)
      throw new ServiceError('internal', 'Cannot write identity headers: the share has no provider');
    const assertion = assertions({ session, provider, audience: originOf(host) }, now);
    const headers: string[] = [];
    appendIdentityHeaders(headers, { prefix, provider, session, assertion });
    const fields = new WrittenFields(headers);
    const { email, subject, expiresAt } = session;
    kept.set(session.id, { fields, share, host, email, subject, expiresAt, at: now });
    return fields;
  };
}

type Identity = {
  readonly fields: WrittenFields;
  readonly share: Share;
  readonly host: string;
  readonly email: string;
  readonly subject: string;
  readonly expiresAt: number;
  readonly at: number;
};

function isCurrent({ at }: Identity, now: number): boolean {
  return now >= at && now - at < MAKE_AGAIN_MS;
}

/** A share is a new object with each of its changes. */
function tellsOf(known: Identity, { share, host, session }: IdentityFacts): boolean {
  return (
    known.share === share &&
    known.host === host &&
    known.email === session.email &&
    known.subject === session.subject &&
    known.expiresAt === session.expiresAt
  );
}

const MAKE_AGAIN_MS = 60_000;
/** Sessions in use at once on one worker; one that falls out is signed again. About 60 MB at most. */
const MAX_KEPT = 50_000;
