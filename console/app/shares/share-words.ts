// Shares in words.

import type { ShareObject } from '../../../src/wire/share.ts';
import type { Fields } from '../parts/conflict.ts';

type Certificate = NonNullable<ShareObject['clientCertificate']>;

export function targetText({ target, tunnel }: Pick<ShareObject, 'target' | 'tunnel'>): string {
  if (target !== null) return target;
  return tunnel === 'ephemeral' ? 'an agent, while it runs' : 'agents, through tunnels';
}

/** Gateways note each agent that serves a share about once a minute. */
export function isServed({ agentSeenAt }: Pick<ShareObject, 'agentSeenAt'>, now: number): boolean {
  return agentSeenAt !== null && now - Date.parse(agentSeenAt) < SERVED_MS;
}

/** In one line: who gets in. */
export function admissionText(share: ShareObject): string {
  const { clientCertificate: certificate } = share;
  if (share.open) return 'everyone';
  if (certificate === null) return loginText(share);
  if (share.oauthProvider === null) return `whoever holds ${certificateText(certificate)}`;
  return share.access === 'either'
    ? `${loginText(share)}, or ${certificateText(certificate)}`
    : `${loginText(share)}, with ${certificateText(certificate)}`;
}

function loginText({ oauthProvider, oauthEmailAddressPatterns }: ShareObject): string {
  const [first, ...others] = oauthEmailAddressPatterns;
  if (first === undefined) return `anybody whom ${oauthProvider} knows`;
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `${first}${more}, by ${oauthProvider}`;
}

export function certificateText({ subject, unit }: Certificate): string {
  return [
    'a client certificate',
    ...(subject === null ? [] : [`named ${subject}`]),
    ...(unit === null ? [] : [`of the unit ${unit}`]),
  ].join(' ');
}

/** Every setting by what it is called on the page, for a comparison of two versions. */
export function shareFields(share: ShareObject): Fields {
  const { oauthProvider, clientCertificate, oauthEmailAddressPatterns: patterns, allowOrigins } = share;
  return {
    State: share.enabled ? 'on' : 'off',
    Reaches: targetText(share),
    'Log in with': oauthProvider ?? 'no login',
    'Allowed addresses': oauthProvider === null ? '' : patterns.length === 0 ? 'any' : patterns.join('\n'),
    'Checked again every': share.oauthCheckInterval ?? '',
    'Client certificate': clientCertificate === null ? 'none asked for' : certificateText(clientCertificate),
    'Login and certificate':
      oauthProvider === null || clientCertificate === null ? '' : ACCESS_WORDS[share.access],
    'Allowed origins': allowOrigins.length === 0 ? 'none' : allowOrigins.join('\n'),
    'Answers at': share.hosts.join('\n'),
  };
}

/** As the service counts it: two notes that were not taken. */
const SERVED_MS = 120_000;
export const ACCESS_WORDS = { all: 'both are needed', either: 'either is enough' } as const;
