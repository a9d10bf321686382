// What a visitor who is sent to log in gets to take along: the sealed request in the link, and the cookies
// that stay with the share's host: one that binds the login to this browser, and those of an address too long
// for the link.

import { strengthAt } from '../domain/evaluate-rules.ts';
import type { LoginStrength } from '../domain/login-strength.ts';
import { ServiceError } from '../domain/service-error.ts';
import { rulesOfShare } from '../domain/share-rules.ts';
import { sealLoginRequest } from '../login/login-request.ts';
import { loginUrl } from '../login/login-url.ts';
import { bindingOf, surplusBindings, type Binding } from './binding.ts';
import type { Admission } from './admission.ts';
import { keepAddress, NOT_KEPT } from './kept-address.ts';
import type { Visit } from './visit.ts';

export type SetOut = {
  /** Where the login starts. */
  readonly url: string;
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
  /** How strong the login must be; what any login there must be, unless said. */
  readonly strength?: LoginStrength | undefined;
};

/** Throws `provider_unusable` when there is nowhere to log in. */
export function setOut(
  { visit, share, parts, facts }: Admission,
  { returnUrl, isPage, selectAccount, providers, ...asked }: SetOutInput,
): SetOut {
  const [providerName] = providers;
  if (providerName === undefined)
    throw new ServiceError('provider_unusable', 'Cannot log in: the share has no provider');
  const binding = bindingOf(facts.bindingHash, parts.secure);
  const kept = isPage ? keepAddress(parts, { url: returnUrl, bindingHash: binding.hash }) : NOT_KEPT;
  const sealed = sealLoginRequest(parts.seal, {
    shareId: share.id,
    providerName,
    returnUrl,
    addressKey: kept?.key ?? null,
    bindingHash: binding.hash,
    selectAccount,
    strength: asked.strength ?? strengthAt(rulesOfShare(share).rules, providerName),
    expiresAt: Date.now() + parts.settings.intermediateLifetimeMs,
  });
  const cookies = [...bindingCookies(visit, binding), ...(kept?.setCookies ?? [])];
  return {
    url: loginUrl(parts.endpointUrl, providerName, sealed),
    headers: cookies.map((value) => ['set-cookie', value]),
    isCut: kept === null,
  };
}

/** A new binding cookie, or those taken back that are too many. */
function bindingCookies({ facts }: Visit, { setCookie, hash }: Binding): readonly string[] {
  if (hash === null) return [];
  return setCookie === null ? surplusBindings(facts.cookie, hash) : [setCookie];
}
