// The one table of faults: a stable code, its HTTP status, the command line's exit code and the text that
// anyone may see. Detail that is not for the visitor goes into `cause` and from there to the log only.

export type Fault = { readonly status: number; readonly exit: 1 | 2 | 4; readonly title: string };

/**
 * A fault with a stable code. `message` follows "Cannot <verb> <thing>: <what was found>"; `hint` is the next
 * step.
 */
export class ServiceError extends Error {
  readonly code: FaultCode;
  readonly hint: string | null;
  /** Members added to the problem document, such as `login_url` or `retryAfterSeconds`. Public. */
  readonly extra: Readonly<Record<string, unknown>>;

  constructor(code: FaultCode, message: string, options: FaultOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.hint = options.hint ?? null;
    this.extra = options.extra ?? {};
  }

  get fault(): Fault {
    return FAULTS[this.code];
  }
}

/** Any throw as a fault with a code; what is none yet is a defect of ours, unless `code` says otherwise. */
export function asServiceError(
  error: unknown,
  message = 'Cannot answer: an unexpected error',
  code: FaultCode = 'internal',
): ServiceError {
  return error instanceof ServiceError ? error : new ServiceError(code, message, { cause: error });
}

export type FaultOptions = {
  readonly cause?: unknown;
  readonly hint?: string;
  readonly extra?: Readonly<Record<string, unknown>>;
};

export const FAULTS = {
  // Requests that cannot be understood.
  bad_request: { status: 400, exit: 1, title: 'This request is not valid' },
  body_too_large: { status: 413, exit: 1, title: 'The request is too large' },
  headers_too_large: { status: 431, exit: 1, title: 'The request headers are too large' },
  method_not_allowed: { status: 405, exit: 1, title: 'This method is not allowed here' },
  misdirected: { status: 421, exit: 1, title: 'This connection is not for that host' },
  not_found: { status: 404, exit: 1, title: 'There is nothing here' },
  request_timeout: { status: 408, exit: 1, title: 'The request took too long to arrive' },
  address_too_long: { status: 414, exit: 1, title: 'This address is too long to keep' },
  // The gate.
  share_unknown: { status: 404, exit: 1, title: 'There is no such share' },
  share_disabled: { status: 409, exit: 1, title: 'That share is disabled' },
  login_required: { status: 401, exit: 4, title: 'Log in to continue' },
  foreign_origin: { status: 403, exit: 4, title: 'Another site made this request' },
  looked_ahead: { status: 403, exit: 1, title: 'This page is not loaded ahead of time' },
  ambiguous_path: { status: 400, exit: 1, title: 'This address can be read in two ways' },
  forward_auth_untrusted: { status: 403, exit: 4, title: 'This proxy is not trusted' },
  forward_auth_invalid: { status: 400, exit: 1, title: 'The proxy did not describe this request' },
  share_behind_proxy: { status: 421, exit: 1, title: 'This app is behind another proxy' },
  share_not_behind: { status: 403, exit: 1, title: 'This app is not behind that proxy' },
  email_refused: { status: 403, exit: 4, title: 'This email address does not have access' },
  rule_refused: { status: 403, exit: 4, title: 'You do not have access' },
  certificate_required: { status: 403, exit: 4, title: 'A client certificate is required' },
  certificate_foreign: { status: 403, exit: 4, title: 'This certificate is not trusted here' },
  certificate_revoked: { status: 403, exit: 4, title: 'This certificate was revoked' },
  certificate_not_yet_valid: { status: 403, exit: 4, title: 'This certificate is not valid yet' },
  certificate_expired: { status: 403, exit: 4, title: 'This certificate has expired' },
  certificate_unfit: { status: 403, exit: 4, title: 'This certificate is not for client authentication' },
  service_token_invalid: { status: 401, exit: 4, title: 'The service token is not valid' },
  service_token_refused: { status: 403, exit: 4, title: 'This service token does not have access' },
  certificate_refused: { status: 403, exit: 4, title: 'This certificate does not have access' },
  provider_unusable: { status: 503, exit: 1, title: 'Login is unavailable for this share' },
  recheck_unavailable: { status: 503, exit: 1, title: 'Your login cannot be checked at the moment' },
  backend_down: { status: 502, exit: 1, title: 'The application behind this address does not answer' },
  backend_timeout: { status: 504, exit: 1, title: 'The application behind this address is too slow' },
  backend_refused: { status: 502, exit: 1, title: 'The target behind this address is not allowed' },
  agent_away: { status: 503, exit: 1, title: 'The app behind this address is unavailable' },
  agent_busy: { status: 503, exit: 1, title: 'The app behind this address is overloaded' },
  tunnel_held: { status: 409, exit: 1, title: 'That agent is already connected here' },
  loop_detected: { status: 508, exit: 1, title: 'This request came back to where it started' },
  store_unavailable: { status: 503, exit: 1, title: 'The service cannot reach its database' },
  draining: { status: 503, exit: 1, title: 'The service is restarting' },
  // Login.
  provider_unknown: { status: 404, exit: 1, title: 'There is no such provider' },
  request_invalid: { status: 400, exit: 1, title: 'This login link is not valid' },
  address_lost: { status: 410, exit: 1, title: 'Part of the address is gone' },
  request_expired: { status: 400, exit: 1, title: 'This login link has expired' },
  state_missing: { status: 400, exit: 1, title: 'This login was not started here' },
  state_foreign: { status: 400, exit: 1, title: 'This login belongs to another browser or provider' },
  state_expired: { status: 400, exit: 1, title: 'This login took too long' },
  state_left: { status: 400, exit: 1, title: 'Too many logins were open at once' },
  state_replayed: { status: 400, exit: 1, title: 'This login was already used' },
  access_denied: { status: 403, exit: 4, title: 'The login was not allowed' },
  email_unusable: { status: 403, exit: 4, title: 'The provider sent no usable email address' },
  email_unverified: { status: 403, exit: 4, title: 'This email address is not verified' },
  acr_unmet: { status: 403, exit: 4, title: 'A stronger login is required' },
  login_too_old: { status: 403, exit: 4, title: 'Log in at the provider again' },
  provider_error: { status: 502, exit: 1, title: 'The provider returned an error' },
  account_unverified: { status: 403, exit: 4, title: 'Your account at the provider is not verified' },
  provider_permission_missing: {
    status: 502,
    exit: 1,
    title: 'The provider does not share your email address',
  },
  provider_token_too_large: { status: 502, exit: 1, title: 'The provider sent a token that is too large' },
  too_many_groups: { status: 502, exit: 1, title: 'The provider sent too many groups' },
  groups_unreadable: { status: 502, exit: 1, title: 'The provider did not share your groups' },
  provider_rate_limited: { status: 503, exit: 1, title: 'The provider limits requests at the moment' },
  subject_changed: { status: 502, exit: 1, title: 'The provider answered for someone else' },
  provider_unreachable: { status: 503, exit: 1, title: 'The provider cannot be reached' },
  redirect_refused: { status: 400, exit: 1, title: 'Redirect not allowed' },
  access_ended: { status: 403, exit: 1, title: 'Access was ended during the login' },
  login_loop: { status: 409, exit: 1, title: 'The login keeps starting over' },
  rate_limited: { status: 429, exit: 1, title: 'Too many requests' },
  // The control API and the command line.
  usage: { status: 400, exit: 2, title: 'The command is not valid' },
  cancelled: { status: 400, exit: 1, title: 'The command was cancelled' },
  config_invalid: { status: 500, exit: 2, title: 'The configuration is not valid' },
  api_key_missing: { status: 401, exit: 4, title: 'An API key is required' },
  api_key_invalid: { status: 401, exit: 4, title: 'The API key is not valid' },
  not_allowed: { status: 403, exit: 4, title: 'That is not allowed' },
  account_changed: { status: 403, exit: 4, title: 'This browser uses another account' },
  account_unknown: { status: 404, exit: 1, title: 'There is no such account' },
  member_unknown: { status: 404, exit: 1, title: 'There is no such member' },
  member_exists: { status: 409, exit: 1, title: 'That person is already a member' },
  last_admin: { status: 409, exit: 1, title: 'An account needs an admin' },
  invitation_invalid: { status: 400, exit: 1, title: 'This invitation is not valid' },
  provider_unfit: { status: 403, exit: 1, title: 'Members cannot log in with that provider' },
  not_a_member: { status: 403, exit: 4, title: 'You are not a member here' },
  api_key_unknown: { status: 404, exit: 1, title: 'There is no such API key' },
  service_token_unknown: { status: 404, exit: 1, title: 'There is no such service token' },
  access_request_unknown: { status: 404, exit: 1, title: 'There is no such request for access' },
  access_request_decided: { status: 409, exit: 1, title: 'That request was decided already' },
  device_login_unknown: { status: 404, exit: 1, title: 'There is no device with that code' },
  session_unknown: { status: 404, exit: 1, title: 'There is no such session' },
  webhook_unknown: { status: 404, exit: 1, title: 'There is no such webhook' },
  delivery_unknown: { status: 404, exit: 1, title: 'There is no such delivery' },
  too_many_webhooks: { status: 409, exit: 1, title: 'There are too many webhooks' },
  limit_reached: { status: 409, exit: 1, title: 'The account has reached its limit' },
  rules_too_large: { status: 409, exit: 1, title: 'The account has too many rules' },
  host_unknown: { status: 404, exit: 1, title: 'There is no such host' },
  host_taken: { status: 409, exit: 1, title: 'That host is taken' },
  host_unproved: { status: 409, exit: 1, title: 'That host is not verified' },
  host_refused: { status: 422, exit: 2, title: 'That host cannot be used' },
  host_outside_cookie_domain: { status: 422, exit: 2, title: 'A login does not work at that host' },
  too_many_hosts: { status: 409, exit: 1, title: 'There are too many hosts' },
  account_exists: { status: 409, exit: 1, title: 'That account already exists' },
  name_taken: { status: 409, exit: 1, title: 'That name is taken' },
  provider_in_use: { status: 409, exit: 1, title: 'Shares use that provider' },
  name_reserved: { status: 422, exit: 2, title: 'That name is reserved' },
  validation_failed: { status: 422, exit: 2, title: 'The input is not valid' },
  share_unprotected: { status: 422, exit: 2, title: 'That share would be open to everyone' },
  needs_tls: { status: 422, exit: 2, title: 'Client certificates need TLS at the gateway' },
  target_refused: { status: 422, exit: 2, title: 'That target is not allowed' },
  certificate_unknown: { status: 404, exit: 1, title: 'There is no such certificate' },
  token_unknown: { status: 404, exit: 1, title: 'There is no such token' },
  token_used: { status: 409, exit: 1, title: 'That token was already used' },
  token_expired: { status: 410, exit: 1, title: 'The token has expired' },
  renewal_refused: { status: 409, exit: 1, title: 'That certificate cannot be renewed here' },
  csr_refused: { status: 422, exit: 1, title: 'That certificate request is not accepted' },
  policy_violation: { status: 422, exit: 2, title: 'The certificate policy does not allow that' },
  insecure_channel: { status: 403, exit: 1, title: 'That requires an encrypted connection' },
  precondition_failed: { status: 412, exit: 1, title: 'Someone else changed it' },
  unsupported_media_type: { status: 415, exit: 1, title: 'Send JSON' },
  control_unreachable: { status: 503, exit: 1, title: 'The control API cannot be reached' },
  gateway_unreachable: { status: 503, exit: 1, title: 'The gateway cannot be reached' },
  store_in_use: { status: 500, exit: 1, title: 'Another process uses this database' },
  store_unusable: { status: 500, exit: 1, title: 'The database cannot be opened' },
  backup_unusable: { status: 500, exit: 1, title: 'The backup cannot be used' },
  not_installed: { status: 500, exit: 1, title: 'A part of the program is not installed' },
  address_in_use: { status: 500, exit: 1, title: 'The address is in use' },
  internal: { status: 500, exit: 1, title: 'Something went wrong' },
} as const satisfies Record<string, Fault>;

export type FaultCode = keyof typeof FAULTS;
