// Who gets the session cookie. That `cookie_domain` is no public suffix and reaches shares and OAuth frontend
// is checked when the configuration is read; here, whether it reaches further than it has to.

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
  const beside = controlHostCheck(control.publicUrl.hostname, cookieDomain);
  const returns =
    oauth.logoutRedirectHosts === null
      ? warns(
          'logout redirects',
          'a logout may redirect to any address',
          'List the allowed hosts under oauth.logout_redirect_hosts.',
        )
      : passes('logout redirects', oauth.logoutRedirectHosts.join(', '));
  return [reach, beside, returns];
}

/**
 * A page of a share within the same domain is same-site to the console: the browser sends its cookie along,
 * and the share may plant cookies of other names for the console's host. The console refuses what such a page
 * sends; elsewhere it need not.
 */
function controlHostCheck(host: string, cookieDomain: string): Check {
  if (!isWithinDomain(host, cookieDomain))
    return passes('control host', `${host} is outside of ${cookieDomain}, the domain of the shares`);
  const place = host === cookieDomain ? `is ${cookieDomain} itself` : `is below ${cookieDomain}`;
  return warns(
    'control host',
    `${host} ${place}: the console is same-site with the shares`,
    `Give control.public_url a host outside of ${cookieDomain}, best on another domain, especially if other people own shares (docs/how-to/sensitive-use.md).`,
  );
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
