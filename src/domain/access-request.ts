// Requests for access: somebody who is logged in, and whom no rule of a share lets in, asks for it; whoever
// may change the share lets them in for a time, which is a rule of the share, or does not.

import type { AccessRequestState } from './access-request-state.ts';
import type { AccessRule, AccessRuleDocument, RuleConditions } from './access-rule.ts';
import type { CertificateRule } from './certificate-rule.ts';
import type { AccessRequestId, AccountId, ShareId } from './id.ts';
import { loginRefusal } from './login-admission.ts';
import { loginProviders, providerNames } from './named-providers.ts';
import { parseRuleEnd } from './rule-end.ts';
import type { SessionFacts } from './session-facts.ts';
import type { Share } from './share.ts';
import type { ShareSettings } from './share-values.ts';

export type AccessRequest = {
  readonly id: AccessRequestId;
  readonly accountId: AccountId;
  readonly shareId: ShareId;
  readonly provider: string;
  /** Which provider had the name: a later one of that name knows other people. */
  readonly providerGeneration: string;
  readonly email: string;
  /** What they wrote, as one line; empty for nothing. */
  readonly message: string;
  readonly firstAskedAt: number;
  readonly lastAskedAt: number;
  readonly state: AccessRequestState;
  readonly decidedAt: number | null;
  /** Until when a granted one lets in. */
  readonly grantedUntil: number | null;
};

/** Of a share and an account: more are refused, so that no flood pushes out who asked before. */
export const MOST_OPEN_OF_SHARE = 100;
export const MOST_OPEN_OF_ACCOUNT = 1_000;
/** For so long whoever was dismissed is not heard again. */
export const DISMISSED_MS = 7 * 86_400_000;
export const MOST_GRANTED_MS = 90 * 86_400_000;
/** UTF-16 units, as `maxlength` counts. */
export const MAX_MESSAGE_LENGTH = 200;

/** One line, without characters that change how the rest is shown. Null when it is too long. */
export function requestMessage(text: string): string | null {
  const line = text.replaceAll(UNPRINTABLE, ' ').trim();
  return line.length > MAX_MESSAGE_LENGTH || !line.isWellFormed() ? null : line;
}

/**
 * Whether the share takes requests, and to be let in would help this person: no rule refuses them, and their
 * provider's definition has their address.
 */
export function mayRequestAccess(
  share: Share,
  person: { readonly provider: string; readonly email: string; readonly facts: SessionFacts | null },
): boolean {
  if (!share.accessRequests) return false;
  const { provider, email } = person;
  const settings = { ...share, oauthProvider: loginProviders(share.login?.named ?? []) };
  const rule = grantRule(settings, { provider, email, until: FAR_OFF });
  return loginRefusal({ ...share, rules: [...share.rules, rule] }, person) === null;
}

export type Granted = { readonly provider: string; readonly email: string; readonly until: number };

/** The rules of a share with one more, which takes the place of those for the same person that are over. */
export function grantedRules(
  share: GrantedShare,
  granted: Granted,
  now: number,
): readonly AccessRuleDocument[] {
  const rule = grantRule(share, granted);
  return [...share.rules.filter((each) => !isOver(each, rule, now)), rule];
}

type GrantedShare = Pick<ShareSettings, 'oauthProvider' | 'clientCertificate' | 'access' | 'rules'>;

/**
 * This address and no other, whatever characters it has. Where the login counts only beside a certificate, it
 * goes on doing so.
 */
function grantRule(
  share: GrantedShare,
  { provider, email, until }: Granted,
): { readonly allow: RuleConditions } {
  const certificate = certificateBeside(share, provider);
  return {
    allow: {
      ...(certificate === null ? {} : { certificate }),
      providers: [provider],
      emails: [exactEmailGlob(email)],
      until: new Date(until).toISOString(),
    },
  };
}

/** What every login at this provider needs beside it, by the share's login or by each rule; null for none. */
function certificateBeside(
  { oauthProvider, clientCertificate, access, rules }: GrantedShare,
  provider: string,
): CertificateRule | null {
  if (oauthProvider !== null && clientCertificate !== null && access === 'all') return clientCertificate;
  if (providerNames(oauthProvider).includes(provider)) return null;
  const asked = rules.flatMap((rule) =>
    'allow' in rule && rule.allow.providers?.includes(provider) === true
      ? [rule.allow.certificate ?? null]
      : [],
  );
  const [first = null] = asked;
  return asked.includes(null) ? null : first;
}

/** The email glob that this address alone matches. */
export function exactEmailGlob(email: string): string {
  return email.replaceAll(GLOB_CHARACTERS, String.raw`\$&`);
}

function isOver(
  document: AccessRuleDocument,
  { allow: rule }: { readonly allow: RuleConditions },
  now: number,
) {
  if (!('allow' in document) || document.allow.until === undefined) return false;
  const { until, ...others } = document.allow;
  const { until: _until, ...asked } = rule;
  return parseRuleEnd(until) <= now && sortedText(others) === sortedText(asked);
}

function sortedText(conditions: AccessRule['conditions']): string {
  return JSON.stringify(Object.entries(conditions).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;
const GLOB_CHARACTERS = /[*?[\]{}\\,]/g;
const FAR_OFF = Date.UTC(9999, 11, 31);
