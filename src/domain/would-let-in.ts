// Whether a share would let an address in, and why: `decide()` itself, asked about a person who has just
// logged in without a fault. What it answers is the gate's word; this file only finds the words for it.

import { matchingPattern } from './email-pattern.ts';
import { decide, type Decision, type RequestFacts } from './decision.ts';
import { parseEmailAddress } from './email-address.ts';
import type { LiveSession } from './session.ts';
import type { ProviderRef } from './provider-ref.ts';
import type { Share } from './share.ts';
import { rulesOfShare } from './share-rules.ts';

export const ADMISSION_REASONS = [
  'no_login',
  'certificate_alone',
  'any_address',
  'pattern_matches',
  'share_disabled',
  'provider_unusable',
  'email_unusable',
  'provider_pattern_needed',
  'pattern_needed',
  'rule_needed',
] as const;
export type AdmissionReason = (typeof ADMISSION_REASONS)[number];

export type WouldLetIn = {
  readonly allowed: boolean;
  readonly reason: AdmissionReason;
  /** The share's pattern that matches; null when none does, or none is asked for. */
  readonly pattern: string | null;
  /** As `pattern`, of the provider's definition. */
  readonly providerPattern: string | null;
  /** Whether a client certificate is not asked for, or needed as well, or enough without the login. */
  readonly certificate: 'none' | 'needed' | 'enough';
};

/**
 * What the gate would decide at this time about somebody with this address, who has the certificate that may
 * be needed.
 */
export function wouldLetIn(share: Share, email: string, now: number): WouldLetIn {
  const byLogin = { ...share, clientCertificate: null };
  const { providers } = rulesOfShare(byLogin);
  const tried = providers.map((provider) => tryAt(byLogin, { email, now, provider }));
  const best = tried.find(({ decision }) => decision.kind === 'forward') ?? tried[0];
  const { provider, decision } = best ?? tryAt(byLogin, { email, now, provider: null });
  const pattern = share.login === null ? null : matchingPattern(share.login.emailPatterns, email);
  const providerPattern = provider === null ? null : matchingPattern(provider.emailPatterns, email);
  const found = { pattern, providerPattern, certificate: certificateOf(share) };
  // No login ever gives one that cannot be used, so no session has it (DESIGN "Email").
  if (share.enabled && share.login !== null && provider !== null && parseEmailAddress(email) === null)
    return { ...found, allowed: false, reason: 'email_unusable' };
  if (decision.kind === 'forward') return { ...found, allowed: true, reason: groundOf(share, found) };
  return { ...found, allowed: false, reason: refusalOf(share, { ...found, provider, decision }) };
}

type Try = { readonly email: string; readonly now: number; readonly provider: ProviderRef | null };

function tryAt(share: Share, { email, now, provider }: Try) {
  const session = faultlessSession(share, { email, now, provider });
  return { provider, decision: decide(share, session, FACTS, now) };
}

type Found = Pick<WouldLetIn, 'pattern' | 'providerPattern' | 'certificate'>;

function certificateOf({ login, clientCertificate, access }: Share): WouldLetIn['certificate'] {
  if (clientCertificate === null) return 'none';
  return access === 'either' && login !== null ? 'enough' : 'needed';
}

function groundOf({ login }: Share, { pattern, providerPattern, certificate }: Found): AdmissionReason {
  if (login === null) return certificate === 'none' ? 'no_login' : 'certificate_alone';
  return pattern === null && providerPattern === null ? 'any_address' : 'pattern_matches';
}

type Refused = Found & { readonly provider: ProviderRef | null; readonly decision: Decision };

function refusalOf(share: Share, { provider, decision, pattern, providerPattern }: Refused): AdmissionReason {
  if (!share.enabled) return 'share_disabled';
  if (decision.kind === 'refuse' && decision.code === 'rule_refused') return 'rule_needed';
  if (provider === null) return 'provider_unusable';
  if (provider.emailPatterns.length > 0 && providerPattern === null) return 'provider_pattern_needed';
  return pattern === null ? 'pattern_needed' : 'rule_needed';
}

/** Made this moment, for this share, with its provider as it is, in this browser. */
function faultlessSession(share: Share, { email, now, provider }: Try): LiveSession {
  return {
    id: 'ses_00000000000000000000000000',
    shareId: share.id,
    providerGeneration: provider?.generation ?? '',
    email,
    expiresAt: now + 1,
    bindingHash: FACTS.bindingHash,
    subject: '',
    checkedAt: now,
    refreshable: true,
    confirmed: true,
    ended: false,
    emailVerified: true,
  };
}

/** A page of the share itself. */
const FACTS: RequestFacts = {
  method: 'GET',
  path: null,
  address: null,
  upgrade: false,
  fetchSite: 'same-origin',
  fetchMode: 'navigate',
  fetchDest: 'document',
  purpose: null,
  referer: null,
  origin: null,
  ownOrigin: 'https://share.invalid',
  secure: true,
  bindingHash: 'binding',
  certificate: null,
  token: null,
};
