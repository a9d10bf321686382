// When a certificate is renewed: at two thirds of its life, or when the server suggests it (RFC 9773), and
// how long a name waits after a failure. Pure.

import { X509Certificate } from 'node:crypto';
import type { HeldDates } from '../store/acme/acme.ts';
import { DerReader, readWhole, TAG } from '../x509/der.ts';
import { OID } from '../x509/oid.ts';
import { textIn } from './connection.ts';

export type SuggestedWindow = { readonly start: number; readonly end: number };

/** Two thirds of its life, in milliseconds since the epoch. */
export function twoThirds(notBefore: number, notAfter: number): number {
  return notBefore + Math.floor(((notAfter - notBefore) * 2) / 3);
}

/**
 * A moment within what the server suggests (RFC 9773 section 4.2); one that was chosen before stays. Never
 * so late that a few failed tries would cost the certificate. `random` is in [0, 1), so that not everybody
 * comes at once.
 */
export function plannedRenewal(
  { start, end }: SuggestedWindow,
  { notBefore, notAfter, renewAt }: Pick<HeldDates, 'notBefore' | 'notAfter' | 'renewAt'>,
  random: number,
): number {
  const latest = notBefore + Math.floor(((notAfter - notBefore) * 5) / 6);
  const chosen = renewAt >= start && renewAt <= end ? renewAt : start + Math.floor((end - start) * random);
  return Math.min(chosen, latest);
}

/** Null for what is none. */
export function windowOf(body: unknown): SuggestedWindow | null {
  const window =
    typeof body === 'object' && body !== null && 'suggestedWindow' in body ? body.suggestedWindow : null;
  const [start, end] = ['start', 'end'].map((name) => Date.parse(textIn(window, name) ?? ''));
  if (start === undefined || end === undefined || Number.isNaN(start) || !(end > start)) return null;
  return { start, end };
}

/** The certificate's name in renewal information (RFC 9773 section 4.1); null without a key identifier. */
export function renewalId(chain: string): string | null {
  try {
    const { raw } = new X509Certificate(chain);
    const body = new DerReader(
      new DerReader(readWhole(raw, TAG.sequence, 'certificate').content).next().content,
    );
    let value = body.next();
    if (value.tag !== TAG.integer) value = body.next();
    const serial = value.content;
    for (;;) {
      value = body.next();
      if (value.tag === EXTENSIONS) break;
    }
    const authority = authorityKeyOf(readWhole(value.content, TAG.sequence, 'extensions').content);
    return authority === null ? null : `${base64url(authority)}.${base64url(serial)}`;
  } catch {
    return null;
  }
}

/**
 * Milliseconds until a name is tried again, after so many failures in a row: a minute, four, sixteen … a day;
 * within what public servers allow of failed validations an hour. `random` is in [0, 1).
 */
export function retryInMs(failures: number, random: number): number {
  const longest = Math.min(FIRST_MS * 4 ** Math.min(failures - 1, MOST_STEPS), LONGEST_MS);
  return Math.round(longest * (0.75 + random / 4));
}

/** When the server is asked again what it suggests. */
export function nextRenewalCheck(now: number, retryAfterMs: number | null): number {
  return now + Math.min(Math.max(retryAfterMs ?? RENEWAL_CHECK_MS, RENEWAL_CHECK_LEAST_MS), DAY_MS);
}

function authorityKeyOf(extensions: Uint8Array): Uint8Array | null {
  for (const list = new DerReader(extensions); !list.atEnd;) {
    const parts = new DerReader(list.next().content);
    if (Buffer.compare(parts.next().whole, OID.authorityKeyIdentifier) !== 0) continue;
    const content = readWhole(parts.expect(TAG.octetString, 'value').content, TAG.sequence, 'value').content;
    const first = new DerReader(content).next();
    return first.tag === KEY_IDENTIFIER ? first.content : null;
  }
  return null;
}

function base64url(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

/** `[3]` of a TBSCertificate, `[0]` of an AuthorityKeyIdentifier. */
const EXTENSIONS = 0xa3;
const KEY_IDENTIFIER = 0x80;
const DAY_MS = 86_400_000;
const FIRST_MS = 60_000;
const MOST_STEPS = 8;
const LONGEST_MS = DAY_MS;
/** RFC 9773 section 4.3.2: the server says; some do not. */
const RENEWAL_CHECK_MS = DAY_MS / 4;
const RENEWAL_CHECK_LEAST_MS = 60_000;
