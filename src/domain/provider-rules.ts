// What the values of a provider's fields must look like, however it was given: by the configuration (contract
// 2.2) or as a definition (contract 2.4).

/** RFC 6749 section 3.3 `scope-token`. */
export function isScope(text: string): boolean {
  return /^[!#-[\]-~]+$/.test(text);
}

/**
 * OpenID Connect Core 3.1.2.1. `none` would forbid the provider to show its login page; an empty one asks for
 * nothing.
 */
export function isPrompt(text: string): boolean {
  return text === '' || text.split(' ').every((word) => /^[a-z_]+$/.test(word) && word !== 'none');
}

/** The name of a claim: `upn`, or an address as some providers name theirs. */
export function isClaimName(text: string): boolean {
  return /^[!#-[\]-~]{1,200}$/.test(text);
}

/** One of `acr_values` (OpenID Connect Core 3.1.2.1), which spaces separate. */
export function isAcrValue(text: string): boolean {
  return /^[!#-[\]-~]{1,100}$/.test(text);
}

export const MAX_ACR_VALUES = 10;
/** More than rules ever ask for; each is read at every login and check, and kept with the session. */
export const MAX_CLAIMS = 20;
