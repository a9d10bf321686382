// The identity headers of each session that comes again and again, written once a minute: what a request
// would spend on checking and writing them costs some microseconds.

import { LRUCache } from 'lru-cache';
import type { CertificateFacts } from '../domain/client-certificate.ts';
import { sessionProvider } from '../domain/decision.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { ServiceToken } from '../domain/service-token.ts';
import type { LiveSession } from '../domain/session.ts';
import type { SessionFacts } from '../domain/session-facts.ts';
import type { Share } from '../domain/share.ts';
import type { Assertions } from './assertion.ts';
import { appendIdentityHeaders } from './identity-headers.ts';
import { createLately } from './lately.ts';
import { NOTHING_TOLD, toldOf } from './told.ts';
import { WrittenFields } from './upstream/written-fields.ts';

export type IdentityOptions = {
  /** `gateway.identity_header_prefix`. */
  readonly prefix: string;
  readonly assertions: Assertions;
  /** The origin of a share host as visitors see it. */
  readonly originOf: (host: string) => string;
};

/**
 * What a backend is told of whoever was let in; the assertion in it is valid for at least one more minute,
 * or until the session or the certificate is over. Throws `internal` when the share has no provider, or
 * rather than write an unclean value.
 */
export type Identities = (facts: IdentityFacts, now: number) => WrittenFields;

/** At least one of session, certificate and token. */
export type IdentityFacts = {
  readonly share: Share;
  /** Of the share's hosts the one that was asked, in lower case and without port. */
  readonly host: string;
  readonly session: LiveSession | null;
  readonly certificate: CertificateFacts | null;
  readonly token?: ServiceToken | null;
};

export function createIdentities({ prefix, assertions, originOf }: IdentityOptions): Identities {
  const kept = new LRUCache<string, Identity>({ maxSize: MAX_KEPT_BYTES, sizeCalculation: sizeOf });
  const cameLately = createLately({ places: 1 << 14, ms: MAKE_AGAIN_MS });
  return (facts, now) => {
    const { share, host, session, certificate, token = null } = facts;
    const key = keyOf(facts);
    const known = kept.get(key);
    if (known !== undefined && isCurrent(known, now) && tellsOf(known, facts)) return known.fields;
    const login = session === null ? null : { session, provider: providerOf(share, session) };
    const told = session === null ? NOTHING_TOLD : toldOf(share, session);
    const signed = login === null ? null : { ...login, told: told.claims };
    const assertion = assertions({ login: signed, certificate, token, audience: originOf(host) }, now);
    const headers: string[] = [];
    const written = login === null ? null : { ...login, told: told.headers };
    appendIdentityHeaders(headers, { prefix, login: written, certificate, token, assertion });
    const fields = new WrittenFields(headers);
    const { email, subject, expiresAt } = session ?? NOBODY;
    if (kept.calculatedSize < FREE_BYTES || cameLately(key, performance.now()))
      kept.set(key, { fields, share, host, email, subject, expiresAt, facts: session?.facts, at: now });
    return fields;
  };
}

/** Whose certificate or token it is does not change; the same one opens several shares. */
function keyOf({ share, session, certificate, token = null }: IdentityFacts): string {
  if (certificate === null && token === null) return session?.id ?? '';
  return `${certificate?.fingerprint ?? ''} ${token?.id ?? ''} ${session?.id ?? share.id}`;
}

function providerOf(share: Share, session: LiveSession): string {
  const provider = sessionProvider(share, session);
  if (provider === null)
    throw new ServiceError('internal', 'Cannot write identity headers: the share has no such provider');
  return provider;
}

type Identity = {
  readonly fields: WrittenFields;
  readonly share: Share;
  readonly host: string;
  readonly email: string;
  readonly subject: string;
  readonly expiresAt: number;
  readonly facts: SessionFacts | undefined;
  readonly at: number;
};

function isCurrent({ at }: Identity, now: number): boolean {
  return now >= at && now - at < MAKE_AGAIN_MS;
}

/** A share is a new object with each of its changes, and so is what a check found. */
function tellsOf(known: Identity, { share, host, session }: IdentityFacts): boolean {
  const { email, subject, expiresAt } = session ?? NOBODY;
  return (
    known.share === share &&
    known.host === host &&
    known.email === email &&
    known.subject === subject &&
    known.expiresAt === expiresAt &&
    known.facts === session?.facts
  );
}

const NOBODY = { email: '', subject: '', expiresAt: 0 } as const;
const MAKE_AGAIN_MS = 60_000;
function sizeOf({ fields }: Identity): number {
  return Math.max(LEAST_BYTES, 2 * fields.text.length);
}

/**
 * Of the sessions in use at once on one worker, 50,000 if little is told; one that falls out is signed again.
 */
const MAX_KEPT_BYTES = 60_000_000;
const LEAST_BYTES = 1_200;
/** Beyond it, only who comes again within a minute is kept: a crowd that comes once pushes nobody out. */
const FREE_BYTES = MAX_KEPT_BYTES / 4;
