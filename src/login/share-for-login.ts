// The share that a login is for, as it is now: looked up when the login starts and again before a session is
// made (contract 2.5; DESIGN "Bound to the share"). Links back to it are held against it too.

import type { ShareId } from '../domain/id.ts';
import { loginProviders } from '../domain/login-admission.ts';
import { asServiceError, ServiceError } from '../domain/service-error.ts';
import type { Share, ShareLogin } from '../domain/share.ts';
import { rulesOfShare } from '../domain/share-rules.ts';
import { type AttemptTarget, isConsoleTarget, type LoginTarget, isTrialTarget } from './login-target.ts';
import type { PageAction } from '../http/page-html.ts';
import type { Provider } from '../providers/provider.ts';
import { BEGIN_PATH } from './begin-grant.ts';
import { otherConsoleAccountUrl } from './console-target.ts';
import { logFault } from './fault-log.ts';
import { type LoginChoice, loginStart, OTHER_PROVIDER } from './login-choice.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import { sealLoginRequest } from './login-request.ts';
import { loginUrl } from './login-url.ts';
import { safeReturnUrl } from './return-url.ts';

/**
 * Throws `share_unknown`, `provider_unusable`, or `request_expired` when the share has another login by now.
 */
export function shareForLogin(
  deps: LoginDeps,
  provider: Provider,
  shareId: ShareId,
): { readonly share: Share; readonly login: ShareLogin } {
  const share = deps.findShare(shareId);
  if (share === undefined || !share.enabled)
    throw new ServiceError('share_unknown', 'Cannot log in: the share is gone or disabled');
  const { login } = share;
  const usable = rulesOfShare(share).providers;
  if (login !== null && usable.length === 0)
    throw new ServiceError('provider_unusable', `Cannot log in: ${share.name} has no usable provider`);
  const isAmong = usable.some(
    ({ name, generation }) => name === provider.name && generation === provider.generation,
  );
  if (login === null || !isAmong)
    throw new ServiceError(
      'request_expired',
      `Cannot log in: the login of ${share.name} was changed meanwhile`,
    );
  return { share, login };
}

/**
 * As `shareForLogin`, with those of the named providers that it has now, or all of its own. One that cannot
 * be used for a fault of its own takes no other along.
 */
export function providersForLogin(
  deps: LoginDeps,
  { requestId, path }: LoginHttpRequest,
  { shareId, providerNames }: Pick<LoginChoice, 'shareId' | 'providerNames'>,
): { readonly share: Share; readonly providers: readonly [Provider, ...Provider[]] } {
  const share = deps.findShare(shareId);
  const possible = share === undefined ? [] : loginProviders(share);
  const names =
    providerNames.length === 0 ? possible : providerNames.filter((name) => possible.includes(name));
  let failure: unknown = new ServiceError(
    'request_expired',
    'Cannot log in: the logins of the share were changed meanwhile',
  );
  const providers = names.flatMap((name) => {
    try {
      const provider = deps.provider(name);
      if (provider === undefined) return [];
      shareForLogin(deps, provider, shareId);
      return [provider];
    } catch (error) {
      failure = error;
      logFault(deps.log, { act: 'login', requestId, path }, asServiceError(error));
      return [];
    }
  });
  const [first, ...others] = providers;
  if (share === undefined || first === undefined) throw failure;
  return { share, providers: [first, ...others] };
}

/** A link to the page that was asked for, from where a new login starts; none when the share is gone. */
export function openShareAction(deps: LoginDeps, target: AttemptTarget): readonly PageAction[] {
  if (isConsoleTarget(target))
    return [{ label: 'Log in again', href: new URL('/auth/login', deps.controlUrl).href, primary: true }];
  if (isTrialTarget(target))
    return [{ label: 'Back to the console', href: providersPage(deps), primary: true }];
  const share = target === null ? undefined : deps.findShare(target.shareId);
  if (target === null || share === undefined || !share.enabled) return [];
  return [{ label: 'Open the page again', href: pageUrl(deps, share, target), primary: true }];
}

/** Where the whole of a long address waits in this browser, when it has one. */
function pageUrl({ shareBase }: LoginDeps, share: Share, { returnUrl, addressKey }: LoginTarget): string {
  const url = safeReturnUrl(returnUrl, share, shareBase);
  return addressKey === null ? url : `${new URL(url).origin}${BEGIN_PATH}/${addressKey}`;
}

/**
 * The address that starts a login again and asks the provider for another account (DESIGN "Refused email",
 * Logout).
 */
export function otherAccountUrl(deps: LoginDeps, provider: Provider, target: AttemptTarget): string {
  if (isConsoleTarget(target)) return otherConsoleAccountUrl(deps, provider, target);
  // Only the console starts a trial: whoever does is asked which of their sessions it is for.
  if (isTrialTarget(target)) return providersPage(deps);
  const { endpointUrl, intermediateLifetimeMs } = deps.oauth;
  if (target === null) return loginUrl(endpointUrl, provider.name, null);
  const request = sealLoginRequest(deps.seal, {
    ...target,
    providerName: provider.name,
    selectAccount: true,
    expiresAt: deps.now() + intermediateLifetimeMs,
  });
  return loginUrl(endpointUrl, provider.name, request);
}

/** Where somebody whom one provider did not bring in may try another; none where there is no other. */
export function otherProviderActions(
  { seal, oauth, findShare, now }: LoginDeps,
  provider: Pick<Provider, 'name'>,
  target: AttemptTarget,
): readonly PageAction[] {
  if (target === null || isConsoleTarget(target) || isTrialTarget(target)) return [];
  const { shareId, returnUrl, addressKey, bindingHash } = target;
  const share = findShare(shareId);
  if (share?.enabled !== true) return [];
  const providerNames = loginProviders(share).filter((name) => name !== provider.name);
  if (providerNames.length === 0) return [];
  const href = loginStart({ seal, endpointUrl: oauth.endpointUrl }, share, {
    shareId,
    returnUrl,
    addressKey,
    bindingHash,
    providerNames,
    selectAccount: false,
    expiresAt: now() + oauth.intermediateLifetimeMs,
  });
  return [{ label: OTHER_PROVIDER, href, primary: false }];
}

function providersPage({ controlUrl }: LoginDeps): string {
  return new URL('/console/providers', controlUrl).href;
}
