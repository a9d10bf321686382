// What a provider's metadata say about logins with it (OpenID Connect Discovery section 3; RFC 8414). Pure:
// the document is outside input, and nothing of it is shown that is no plain text.

import { type Check, fails, passes, warns } from '../domain/check.ts';
import { PROVIDER_FIELDS, type FieldName } from '../domain/provider-fields.ts';
import { kindOf } from '../domain/provider-kinds.ts';
import type { ProviderSettings } from '../domain/provider-settings.ts';
import { isSecureUrl } from '../domain/secure-url.ts';
import { SIGNING_ALGORITHMS } from './openid-metadata.ts';

export type Metadata = Readonly<Record<string, unknown>>;

export function metadataChecks(settings: ProviderSettings, metadata: Metadata): readonly Check[] {
  return [
    issuerCheck(settings, metadata),
    endpointsCheck(metadata),
    signatureCheck(metadata),
    flowCheck(metadata),
    pkceCheck(settings, metadata),
    scopesCheck(settings, metadata),
    refreshCheck(settings, metadata),
    emailCheck(settings, metadata),
    revocationCheck(metadata),
    ...logoutChecks(settings, metadata),
  ];
}

function issuerCheck({ issuer }: ProviderSettings, metadata: Metadata): Check {
  const said = metadata['issuer'];
  const same = typeof said === 'string' && URL.parse(said)?.href === URL.parse(issuer ?? '')?.href;
  if (same) return passes('issuer', `${shown(said)}, as in the settings`);
  return fails(
    'issuer',
    `the metadata are for ${shown(said)}`,
    `Enter the issuer exactly as the provider names it. If tenants share an address, use the issuer of your tenant.`,
  );
}

/** Codes, tokens and keys travel to these: nobody on the way may read or change them. */
function endpointsCheck(metadata: Metadata): Check {
  const named = ENDPOINTS.flatMap((name) => (typeof metadata[name] === 'string' ? [name] : []));
  const missing = NEEDED.filter((name) => !named.includes(name));
  if (missing.length > 0)
    return fails('endpoints', `the metadata lack ${missing.join(', ')}`, 'Ask the operator of the provider.');
  const open = named.filter((name) => !isSafe(String(metadata[name])));
  if (open.length > 0)
    return fails('endpoints', `not https: ${open.join(', ')}`, 'Have the provider serve them over https.');
  const plain = named.filter((name) => URL.parse(String(metadata[name]))?.protocol === 'http:');
  if (plain.length > 0) return warns('endpoints', 'plain http, on this machine', 'Use this only for tests.');
  return passes('endpoints', 'all use https');
}

function isSafe(address: string): boolean {
  const url = URL.parse(address);
  return url !== null && isSecureUrl(url);
}

function signatureCheck(metadata: Metadata): Check {
  const offered = texts(metadata['id_token_signing_alg_values_supported']);
  if (offered === null) return passes('signatures', 'the provider does not say how it signs');
  const accepted = SIGNING_ALGORITHMS.filter((each) => offered.includes(each));
  if (accepted.length > 0) return passes('signatures', accepted.join(', '));
  return fails(
    'signatures',
    `ID tokens are signed with ${shown(offered.join(', '))}`,
    `Have the provider sign them with one of ${SIGNING_ALGORITHMS.join(', ')}.`,
  );
}

function flowCheck(metadata: Metadata): Check {
  const types = texts(metadata['response_types_supported']);
  if (types === null || types.includes('code')) return passes('flow', 'authorization code');
  return fails(
    'flow',
    'the provider does not offer the authorization code flow',
    'Enable it at the provider.',
  );
}

function pkceCheck(settings: ProviderSettings, metadata: Metadata): Check {
  const methods = texts(metadata['code_challenge_methods_supported']);
  const uses = kindOf(settings.type).always.supportsPkce ?? settings.supportsPkce;
  const field = spelling(settings, 'supportsPkce');
  if (uses && methods === null)
    return warns(
      'PKCE',
      'used; the provider does not say whether it supports PKCE',
      `If logins fail, set ${field}: false.`,
    );
  if (uses && methods?.includes('S256') === false)
    return fails(
      'PKCE',
      'used, but the provider does not support S256',
      `Set ${field}: false, or enable S256 at the provider.`,
    );
  if (uses) return passes('PKCE', 'S256');
  if (methods?.includes('S256') === true)
    return warns('PKCE', 'not used, although the provider supports S256', `Set ${field}: true.`);
  return warns(
    'PKCE',
    'not used',
    `Set ${field}: true once the provider supports it. PKCE protects against stolen codes.`,
  );
}

function scopesCheck(settings: ProviderSettings, metadata: Metadata): Check {
  const offered = texts(metadata['scopes_supported']);
  const asked = askedScopes(settings);
  const unknown = offered === null ? [] : asked.filter((scope) => !offered.includes(scope));
  if (unknown.length === 0) return passes('scopes', asked.join(' '));
  const found = `the provider does not list ${unknown.join(', ')}`;
  // Without these there is no identity, whatever else is given (Core section 3.1.2.1, 5.4).
  const next =
    'A provider does not have to list every scope. If logins fail, remove the scope or allow it at the provider.';
  return warns('scopes', found, next);
}

/** Some ask for a refresh token in another way. */
function askedScopes({ type, scopes }: ProviderSettings): readonly string[] {
  return kindOf(type).refresh === 'always' ? scopes.filter((scope) => scope !== 'offline_access') : scopes;
}

/**
 * A refresh token lets a login be checked again without the person noticing (contract 2.3 check interval).
 */
function refreshCheck({ type, scopes }: ProviderSettings, metadata: Metadata): Check {
  if (kindOf(type).refresh === 'always') return passes('refresh', 'requested at each login');
  const grants = texts(metadata['grant_types_supported']);
  if (grants !== null && !grants.includes('refresh_token'))
    return warns('refresh', 'the provider does not issue refresh tokens', REFRESH_HINT);
  if (scopes.includes('offline_access')) return passes('refresh', 'requested with offline_access');
  if (texts(metadata['scopes_supported'])?.includes('offline_access') === true)
    return passes('refresh', OFFLINE_OFFERED);
  return passes('refresh', 'the first login shows whether the provider issues refresh tokens');
}

function emailCheck(settings: ProviderSettings, metadata: Metadata): Check {
  const { emailClaim = null } = settings;
  if (emailClaim !== null && emailClaim !== 'email')
    return warns(
      'verified email',
      `email addresses come from the claim ${emailClaim}, but email_verified applies only to the claim email`,
      'Make sure that users cannot choose that claim at the provider, and restrict access with patterns for your own domain.',
    );
  const claims = texts(metadata['claims_supported']);
  const says = claims === null ? null : claims.includes('email_verified');
  const requires = kindOf(settings.type).always.requireVerifiedEmail ?? settings.requireVerifiedEmail;
  const field = spelling(settings, 'requireVerifiedEmail');
  if (requires && says === false)
    return warns(
      'verified email',
      'required, but the provider does not list the claim email_verified',
      'If logins are refused, have the provider send that claim.',
    );
  if (requires) return passes('verified email', 'required');
  return warns(
    'verified email',
    'not required: an email address is accepted even if the provider does not say that it is verified',
    says === false
      ? 'The provider does not list email_verified. Restrict access with patterns for your own domain.'
      : `Set ${field}: true if the provider sends the claim email_verified.`,
  );
}

function revocationCheck(metadata: Metadata): Check {
  if (typeof metadata['revocation_endpoint'] === 'string')
    return passes('revocation', 'a logout revokes the tokens');
  return warns(
    'revocation',
    'the provider has no revocation endpoint',
    'A logout ends the session here. Tokens at the provider stay valid until they expire.',
  );
}

function logoutChecks({ type, rpInitiatedLogout }: ProviderSettings, metadata: Metadata): readonly Check[] {
  if (!kindOf(type).hasLogout) return [];
  const backChannel =
    metadata['backchannel_logout_supported'] === true
      ? passes('back-channel logout', 'supported: register the URL below')
      : passes('back-channel logout', 'not supported');
  const hasEnd = typeof metadata['end_session_endpoint'] === 'string';
  if (rpInitiatedLogout !== true)
    return [passes('provider logout', hasEnd ? 'supported, but not used' : 'not supported'), backChannel];
  const end = hasEnd
    ? passes('provider logout', 'a logout continues at the provider')
    : fails(
        'provider logout',
        'requested, but the provider has no end_session_endpoint',
        'Remove it from the settings. A logout then ends only the session here.',
      );
  return [end, backChannel];
}

/** Definitions and the configuration spell the same field differently. */
function spelling({ accountId }: ProviderSettings, field: FieldName): string {
  return accountId === undefined ? (PROVIDER_FIELDS[field].file ?? field) : field;
}

/** Null when it is no list: the metadata say nothing about it. */
function texts(value: unknown): readonly string[] | null {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : null;
}

function shown(value: unknown): string {
  if (typeof value !== 'string') return 'no issuer';
  return value.replaceAll(/[^\x20-\x7e]/g, '?').slice(0, MAX_SHOWN);
}

const NEEDED = ['authorization_endpoint', 'token_endpoint', 'jwks_uri'] as const;
const ENDPOINTS = [...NEEDED, 'userinfo_endpoint', 'revocation_endpoint', 'end_session_endpoint'] as const;
const REFRESH_HINT =
  'People are redirected to the provider at each check interval of a share. This works, but they notice.';
/** Keycloak gives refresh tokens without it, and offline tokens with it; Entra and Okta need it. */
const OFFLINE_OFFERED =
  'offline_access is supported but not requested; add it if people are redirected to the provider at each check interval';
/** What a provider says is not ours to print at length. */
const MAX_SHOWN = 200;
