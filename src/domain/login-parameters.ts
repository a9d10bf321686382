// Further parameters of the login request, as a provider's settings may have them: `login_hint`,
// `domain_hint`, `acr_values`. Those that make a login safe are not theirs to say.

/** Why a parameter may not be sent; null when it may. */
export function loginParameterFault(name: string, value: string): string | null {
  if (!NAME.test(name)) return `a parameter’s name has 1 to 64 of A-Z, a-z, 0-9 and _.:-`;
  if (OWN.has(name.toLowerCase())) return `${name} is sent by the service itself`;
  if (value === '' || value.length > MAX_VALUE_LENGTH || CONTROL.test(value))
    return `a parameter’s value has 1 to ${MAX_VALUE_LENGTH} characters, and no control characters`;
  return null;
}

const NAME = /^[A-Za-z0-9_.:-]{1,64}$/;
const CONTROL = /\p{Cc}/u;
/** Addresses of login requests are short of 8 KiB with all of them. */
const MAX_VALUE_LENGTH = 300;
export const MAX_LOGIN_PARAMETERS = 16;
/** What the service sends, or would have to know of; `prompt` has a setting of its own. */
const OWN: ReadonlySet<string> = new Set([
  'access_type',
  'client_assertion',
  'client_assertion_type',
  'client_id',
  'client_secret',
  'code',
  'code_challenge',
  'code_challenge_method',
  'code_verifier',
  'error',
  'grant_type',
  'id_token_hint',
  'iss',
  'nonce',
  'prompt',
  'redirect_uri',
  'request',
  'request_uri',
  'response_mode',
  'response_type',
  'scope',
  'state',
]);
