// What each type of provider needs and takes for granted, however it was given: by the configuration (contract 2.2) or
// as a definition (contract 2.4).

import type { ProviderType } from './provider-ref.ts';

export const GOOGLE_ISSUER = 'https://accounts.google.com';
export const GITHUB_URL = 'https://github.com';

/** Without `needed` there is no email address to go by; `absent` are the scopes when none are given. */
export const PROVIDER_SCOPES: Readonly<
  Record<ProviderType, { readonly needed: readonly string[]; readonly absent: readonly string[] | null }>
> = {
  google: { needed: ['openid', 'email'], absent: ['openid', 'email', 'profile'] },
  github: { needed: ['user:email'], absent: ['user:email', 'read:user'] },
  oidc: { needed: ['openid', 'email'], absent: null },
};

/** RFC 6749 section 3.3 `scope-token`. */
export function isScope(text: string): boolean {
  return /^[!#-[\]-~]+$/.test(text);
}

/** OpenID Connect Core 3.1.2.1. `none` would forbid the provider to show its login page; an empty one asks for nothing. */
export function isPrompt(text: string): boolean {
  return text === '' || text.split(' ').every((word) => /^[a-z_]+$/.test(word) && word !== 'none');
}

/** GitHub's own API has a host of its own; that of an enterprise server lies below the server's address. */
export function defaultApiUrl(baseUrl: string): string {
  return baseUrl === GITHUB_URL ? 'https://api.github.com' : `${baseUrl}/api/v3`;
}

/** The name of a claim: `upn`, or an address as some providers name theirs. */
export function isClaimName(text: string): boolean {
  return /^[!#-[\]-~]{1,200}$/.test(text);
}
