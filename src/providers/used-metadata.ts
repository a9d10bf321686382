// What is kept of a provider's metadata: the members that logins use, each within bounds. A provider may
// publish a megabyte, and anybody may define a provider, so what it says beyond these is read once and
// forgotten.

/** `unusable` names a member that no login could use as it is. */
export function pickUsed(
  document: Readonly<Record<string, unknown>>,
): { readonly used: Readonly<Record<string, unknown>> } | { readonly unusable: string } {
  const used: Record<string, unknown> = {};
  for (const name of ADDRESSES) {
    const value = document[name] ?? null;
    if (value === null) continue;
    if (typeof value !== 'string' || value.length > MAX_ADDRESS) return { unusable: name };
    used[name] = value;
  }
  for (const name of LISTS) {
    const value = document[name];
    if (Array.isArray(value)) used[name] = value.filter(isShort).slice(0, MAX_LISTED);
  }
  for (const name of WORDS) if (isShort(document[name])) used[name] = document[name];
  for (const name of FLAGS) if (typeof document[name] === 'boolean') used[name] = document[name];
  return { used };
}

function isShort(value: unknown): boolean {
  return typeof value === 'string' && value.length <= MAX_WORD;
}

const ADDRESSES = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'jwks_uri',
  'userinfo_endpoint',
  'revocation_endpoint',
  'end_session_endpoint',
] as const;
const LISTS = [
  'id_token_signing_alg_values_supported',
  'token_endpoint_auth_methods_supported',
  'token_endpoint_auth_signing_alg_values_supported',
] as const;
/** Entra's: where it tells the groups that are too many for a token. */
const WORDS = ['msgraph_host'] as const;
const FLAGS = ['authorization_response_iss_parameter_supported'] as const;
/** What servers commonly take at all; real ones have some 100 characters. */
const MAX_ADDRESS = 2_048;
/** There are fewer registered methods and algorithms. */
const MAX_LISTED = 50;
const MAX_WORD = 100;
