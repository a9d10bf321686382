// The share that a login is for, as it is now: looked up when the login starts and again before a session is
// made (contract 2.5; DESIGN "Bound to the share"). Links back to it are held against it too.

import type { ShareId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Share, ShareLogin } from '../domain/share.ts';
import { rulesOfShare } from '../domain/share-rules.ts';
import { type AttemptTarget, isConsoleTarget, type LoginTarget, isTrialTarget } from './login-target.ts';
import type { PageAction } from '../http/page.ts';
import type { Provider } from '../providers/provider.ts';
import { BEGIN_PATH } from './begin-grant.ts';
import { otherConsoleAccountUrl } from './console-target.ts';
import type { LoginDeps } from './login-deps.ts';
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

function providersPage({ controlUrl }: LoginDeps): string {
  return new URL('/console/providers', controlUrl).href;
}
