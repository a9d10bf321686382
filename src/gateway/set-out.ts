// What a visitor who is sent to log in gets to take along: the sealed request in the link, and the cookies
// that stay with the share's host: one that binds the login to this browser, and those of an address too long
// for the link.

import type { LoginStrength } from '../domain/login-strength.ts';
import { ServiceError } from '../domain/service-error.ts';
import { loginStart } from '../login/login-choice.ts';
import { bindingOf, surplusBindings, type Binding } from './binding.ts';
import type { Admission } from './admission.ts';
import { keepAddress, NOT_KEPT } from './kept-address.ts';
import type { Visit } from './visit.ts';

export type SetOut = {
  /** Where the login starts, or where the visitor chooses one. */
  readonly url: string;
  /** The same for the other providers; null where there are none. */
  readonly otherUrl: string | null;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /**
   * The address is too long to be kept, if it was to be: the login leads to its path, or to the main page.
   */
  readonly isCut: boolean;
};

type SetOutInput = {
  readonly returnUrl: string;
  /** Whether all of a long address is to be kept. */
  readonly isPage: boolean;
  readonly selectAccount: boolean;
  /** Names of those where a login could help. */
  readonly providers: readonly string[];
  /** Names of those to be offered beside them, by a link of their own. */
  readonly otherProviders?: readonly string[];
  /** How strong the login must be; what any login there must be, unless said. */
  readonly strength?: LoginStrength | undefined;
};

/** Throws `provider_unusable` when there is nowhere to log in. */
export function setOut(
  { visit, share, parts, facts }: Admission,
  { returnUrl, isPage, selectAccount, providers, otherProviders = [], ...asked }: SetOutInput,
): SetOut {
  if (providers.length === 0)
    throw new ServiceError('provider_unusable', 'Cannot log in: the share has no provider');
  const binding = bindingOf(facts.bindingHash, parts.secure);
  const kept = isPage ? keepAddress(parts, { url: returnUrl, bindingHash: binding.hash }) : NOT_KEPT;
  const wanted = {
    shareId: share.id,
    returnUrl,
    addressKey: kept?.key ?? null,
    bindingHash: binding.hash,
    expiresAt: Date.now() + parts.settings.intermediateLifetimeMs,
  };
  const cookies = [...bindingCookies(visit, binding), ...(kept?.setCookies ?? [])];
  return {
    url: loginStart(parts, share, {
      ...wanted,
      selectAccount,
      providerNames: providers,
      ...(asked.strength === undefined ? {} : { strength: asked.strength }),
    }),
    otherUrl:
      otherProviders.length === 0
        ? null
        : loginStart(parts, share, { ...wanted, selectAccount: false, providerNames: otherProviders }),
    headers: cookies.map((value) => ['set-cookie', value]),
    isCut: kept === null,
  };
}

/** A new binding cookie, or those taken back that are too many. */
function bindingCookies({ facts }: Visit, { setCookie, hash }: Binding): readonly string[] {
  if (hash === null) return [];
  return setCookie === null ? surplusBindings(facts.cookie, hash) : [setCookie];
}
