// Which providers this browser logged in with here, the last one first, in a cookie of the OAuth host: names
// alone, and no one's. It orders the chooser's list and decides nothing, so what it holds need not be sealed.

import { isProviderName } from '../domain/provider-name.ts';
import { cookieValues, type CookiePair } from '../http/cookies.ts';
import { BROWSER_MAX_AGE_SECONDS, hostCookie, hostCookieName } from './browser-cookie.ts';
import type { LoginSettings } from './login-deps.ts';

/** None for a browser that has none, or a cookie that was not written here. */
export function lastProviders(oauth: LoginSettings, cookies: readonly CookiePair[]): readonly string[] {
  const [value = ''] = cookieValues(cookies, hostCookieName(oauth, LAST_COOKIE), 1);
  if (value.length > MAX_LENGTH) return [];
  const names = value.split('.');
  return names.every(isProviderName) ? [...new Set(names)] : [];
}

/** Set-Cookie after a login with this provider; none when it is the last one already. */
export function lastProviderCookies(
  oauth: LoginSettings,
  cookies: readonly CookiePair[],
  name: string,
): readonly string[] {
  const known = lastProviders(oauth, cookies);
  if (known[0] === name) return [];
  const names = [name, ...known.filter((other) => other !== name)].slice(0, MAX_NAMES);
  return [hostCookie(oauth, LAST_COOKIE, names.join('.'), BROWSER_MAX_AGE_SECONDS)];
}

/** Those used last first, the others as they were. */
export function lastFirst<Named extends { readonly name: string }>(
  providers: readonly Named[],
  last: readonly string[],
): readonly Named[] {
  const place = ({ name }: Named) => (last.includes(name) ? last.indexOf(name) : last.length);
  return providers.toSorted((one, other) => place(one) - place(other));
}

const LAST_COOKIE = 'svc-auth-last-providers';
/** Shares differ in their providers; more would be of shares that nobody opens. */
const MAX_NAMES = 8;
const MAX_LENGTH = MAX_NAMES * 41;
