// The names of providers (contract 2.2): they are the first part of paths on the OAuth frontend,
// `/<name>/auth/callback`.

/**
 * Whether a text can name a provider: 1 to 40 of `a-z`, `0-9` and `-`. Names are unique and not reserved
 * besides.
 */
export function isProviderName(text: string): boolean {
  return PROVIDER_NAME.test(text);
}

/**
 * Whether the service itself answers below this name, on the OAuth frontend or where it shares a host with
 * the control API.
 */
export function isReservedProviderName(text: string): boolean {
  return RESERVED.has(text);
}

const PROVIDER_NAME = /^[a-z0-9-]{1,40}$/;
const RESERVED: ReadonlySet<string> = new Set([
  'assets',
  'console',
  'healthz',
  'metrics',
  'openapi',
  'pki',
  'readyz',
  'redeem',
  'svc',
  // What backends are told of programs that came by a service token.
  'token',
  'v1',
]);
