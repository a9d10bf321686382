// Host names of their own that shares answer at beside the one under the public base (DESIGN 2.3): what can
// be one, and the DNS record that proves it to be an account's.

import { getPublicSuffix } from 'tldts';
import { isWithinDomain } from './host-name.ts';
import type { AccountId } from './id.ts';
import { readHost } from './ip-address.ts';
import { constantTimeEqual, Secret, secretHash } from './secret.ts';
import { ServiceError } from './service-error.ts';
import type { PublicBase } from './share-name.ts';

export type HostRules = {
  readonly base: Pick<PublicBase, 'domain'>;
  /** Hosts that the service itself answers at, lower case, without port. */
  readonly ownHosts: readonly string[];
};

/**
 * The host as given: two labels or more of `a-z`, `0-9` and `-`, an international name as its `xn--` form.
 * Throws `host_refused` for anything else, for addresses, public suffixes, and what is the service's own.
 */
export function parseCustomHost(text: string, { base, ownHosts }: HostRules): string {
  const refused = (found: string, hint: string): ServiceError =>
    new ServiceError('host_refused', `Cannot use the host "${text}": ${found}`, { hint });
  const reading = readHost(text);
  if (reading.kind === 'address') throw refused('it is an address', 'Use a host name that you own.');
  if (!HOST.test(text) || text.length > MAX_HOST_LENGTH)
    throw refused(
      'it is not a host name',
      'Write it in lower case, as app.example.com, without port, dot at the end or *; an international name as xn--….',
    );
  if (isWithinDomain(text, base.domain))
    throw refused(`names under ${base.domain} are those of shares`, 'Use that name for a share instead.');
  if (ownHosts.includes(text)) throw refused('the service itself answers there', 'Choose another host.');
  if (isPublicSuffix(text)) throw refused('it is a public suffix', 'Use a host name that you own below it.');
  return text;
}

/** Where the record that proves a host is looked for: a TXT record (RFC 1035 section 3.3.14). */
export function challengeName(host: string): string {
  return `${CHALLENGE_LABEL}.${host}`;
}

/** What the record says. It is another for each account and host, and the same whenever it is asked for. */
export function challengeValue(accountId: AccountId, host: string): string {
  return `doorward-challenge=${secretHash(new Secret(`host challenge\n${accountId}\n${host}`))}`;
}

/**
 * Whether any of a name's TXT records says it. Each is the strings it is made of; a name may have other
 * records, too.
 */
export function isProved(
  records: readonly (readonly string[])[],
  accountId: AccountId,
  host: string,
): boolean {
  const wanted = challengeValue(accountId, host);
  return records.some((strings) => constantTimeEqual(strings.join('').trim(), wanted));
}

/**
 * Throws `host_outside_cookie_domain` when a share with a login cannot have the host. Over https a host that
 * the session cookie of `cookie_domain` does not reach (contract 2.5) gets one of its own at the end of the
 * login. Over plain HTTP it gets none: nothing there ties a login to the browser that began it, so whoever
 * opens the last link of somebody else's login would be logged in as them.
 */
export function requireCookieReach(host: string, { scheme, cookieDomain }: CookieReach): void {
  if (scheme === 'https' || isWithinDomain(host, cookieDomain)) return;
  throw new ServiceError(
    'host_outside_cookie_domain',
    `Cannot use ${host} with a login: over plain HTTP the session cookie reaches hosts under ${cookieDomain} only`,
    {
      hint: `Use a host under ${cookieDomain}, or a share without a login; the operator can serve shares over https.`,
    },
  );
}

/** Of the addresses of shares, as visitors see them. */
export type CookieReach = { readonly scheme: 'http' | 'https'; readonly cookieDomain: string };

function isPublicSuffix(host: string): boolean {
  return getPublicSuffix(host, { allowPrivateDomains: true, validateHostname: false }) === host;
}

const CHALLENGE_LABEL = '_doorward-challenge';
/** LDH labels (RFC 1123 section 2.1), two at least, the last no number. */
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])$/;
/** Its challenge must be a name of at most 253 characters, too. */
const MAX_HOST_LENGTH = 253 - CHALLENGE_LABEL.length - 1;
