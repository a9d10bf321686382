// What logins of members need to know (DESIGN "Who may use which provider"), and the cookies that they leave.

import type { AccountId } from '../../domain/id.ts';
import type { OperatorName } from '../../domain/operator.ts';
import type { ProviderAppearance } from '../../domain/provider-appearance.ts';
import type { ProviderRef } from '../../domain/provider-ref.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { cookieValues, parseCookies, serialiseSetCookie } from '../../http/cookies.ts';
import type { Brand } from '../../http/page-html.ts';
import type { Seal } from '../../login/seal.ts';

export type ConsoleSettings = {
  /** `control.public_url`: the one place where the cookie counts. */
  readonly publicUrl: URL;
  readonly intermediateLifetimeMs: number;
  readonly seal: Seal;
  readonly brand: Brand;
  /** Whoever may log in at all: the configuration's providers, and those that accounts define. */
  readonly findProvider: (name: string) => ConsoleProvider | undefined;
  /** The names of the configuration's. */
  readonly configuredProviders: readonly string[];
  /** `control.operators`. */
  readonly operators: readonly OperatorName[];
};

export type ConsoleProvider = ProviderRef & {
  /** As in `Provider`. */
  readonly verifiesEmail: boolean;
  readonly appearance?: ProviderAppearance;
  readonly mayAskConsent?: boolean;
};

/**
 * The account whose members alone may come this way; null for a provider of the configuration. Throws
 * `provider_unfit`.
 */
export function accountOf({ name, accountId, verifiesEmail }: ConsoleProvider): AccountId | null {
  if (accountId !== null && !verifiesEmail)
    throw new ServiceError(
      'provider_unfit',
      `Cannot log in with ${name}: it does not verify email addresses`,
      { hint: 'Set requireVerifiedEmail in its definition.' },
    );
  return accountId;
}

/** What people see where they choose. */
export function displayNameOf({ name, appearance }: Pick<ConsoleProvider, 'name' | 'appearance'>): string {
  return appearance?.displayName ?? name;
}

/** As the page shows it that asks people for one. */
export function shownAs(provider: Pick<ConsoleProvider, 'name' | 'appearance'>): ProviderAppearance {
  return { displayName: displayNameOf(provider), icon: provider.appearance?.icon ?? null };
}

export type ConsoleCookie = 'svc-control' | 'svc-control-bind';

/** `__Host-` keeps sibling hosts from planting one; over plain HTTP the prefix has no force. */
export function consoleCookie(
  { publicUrl }: Pick<ConsoleSettings, 'publicUrl'>,
  cookie: { readonly name: ConsoleCookie; readonly value: string; readonly maxAgeSeconds: number },
): string {
  return serialiseSetCookie({
    ...cookie,
    name: cookieName(publicUrl, cookie.name),
    domain: null,
    secure: publicUrl.protocol === 'https:',
  });
}

/** The value of our cookie in a Cookie header; null when it is none that we made. */
export function readConsoleCookie(
  { publicUrl }: Pick<ConsoleSettings, 'publicUrl'>,
  name: ConsoleCookie,
  header: string | undefined,
): string | null {
  const [value] = cookieValues(parseCookies(header), cookieName(publicUrl, name), 1);
  return value !== undefined && TOKEN.test(value) ? value : null;
}

function cookieName(publicUrl: URL, name: ConsoleCookie): string {
  return publicUrl.protocol === 'https:' ? `__Host-${name}` : name;
}

/** What `randomToken` makes. */
const TOKEN = /^[A-Za-z0-9_-]{22}$/;
