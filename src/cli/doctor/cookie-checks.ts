// Who gets the session cookie. That `cookie_domain` is no public suffix and reaches shares and OAuth frontend is checked
// when the configuration is read; here, whether it reaches further than it has to.

import type { Config } from '../../config/config.ts';
import { type Check, passes, warns } from '../../domain/check.ts';
import { isWithinDomain } from '../../domain/host-name.ts';

export function cookieChecks({ oauth, gateway, control }: Config): readonly Check[] {
  const { cookieDomain, endpointUrl } = oauth;
  const needed = commonDomain(endpointUrl.hostname, gateway.publicUrl.domain);
  const wide = needed !== cookieDomain && isWithinDomain(needed, cookieDomain) && needed.includes('.');
  const reach = wide
    ? warns(
        'cookie domain',
        `${cookieDomain} is wider than needed: every host below it gets the session cookie`,
        `Set oauth.cookie_domain: ${needed}.`,
      )
    : passes('cookie domain', `${cookieDomain} covers shares and OAuth frontend`);
  const host = control.publicUrl.hostname;
  const beside = isWithinDomain(host, cookieDomain)
    ? warns(
        'control host',
        `${host} lies below ${cookieDomain}: shares are the same site as the control API`,
        'Give control.public_url a host outside of it.',
      )
    : passes('control host', `${host} lies outside of ${cookieDomain}`);
  const returns =
    oauth.logoutRedirectHosts === null
      ? warns(
          'logout redirects',
          'a logout may lead to any address',
          'Name the hosts that it may lead to under oauth.logout_redirect_hosts.',
        )
      : passes('logout redirects', oauth.logoutRedirectHosts.join(', '));
  return [reach, beside, returns];
}

/** The longest domain that both lie in. */
function commonDomain(a: string, b: string): string {
  const labels = a.split('.').toReversed();
  const others = b.split('.').toReversed();
  const end = labels.findIndex((label, index) => label !== others[index]);
  return labels
    .slice(0, end === -1 ? labels.length : end)
    .toReversed()
    .join('.');
}
