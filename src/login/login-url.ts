// The addresses of the OAuth frontend (DESIGN 2.2), all below `endpoint_url`.

/** Registered at the provider (contract 5.1 point 9). */
export function redirectUri(endpointUrl: URL, providerName: string): string {
  return `${endpointUrl.origin}/${providerName}/auth/callback`;
}

/** Where the provider's own logout comes back to; to be registered there for `rp_initiated_logout`. */
export function loggedOutUri(endpointUrl: URL, providerName: string): string {
  return `${endpointUrl.origin}/${providerName}/logged-out`;
}

/**
 * Where a login starts. Without a request it is for no share, and asks the provider not to sign straight in
 * again.
 */
export function loginUrl(endpointUrl: URL, providerName: string, sealedRequest: string | null): string {
  const query = sealedRequest === null ? 'prompt=login' : `request=${sealedRequest}`;
  return `${endpointUrl.origin}/${providerName}/login?${query}`;
}

/** Where somebody chooses with which provider to log in. */
export function chooserUrl(endpointUrl: URL, sealedChoice: string): string {
  return `${endpointUrl.origin}${CHOOSER_PATH}?request=${sealedChoice}`;
}

export const CHOOSER_PATH = '/choose';

/** The page that says so. A logout may always lead to it (`redirect_url={endpoint_url}/logged-out`). */
export const LOGGED_OUT_PATH = '/logged-out';
