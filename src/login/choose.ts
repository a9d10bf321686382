// `GET /choose`: the page where a visitor chooses among the providers where a login could help (DESIGN
// "Several providers"). It takes what the gate sealed, and nothing else: each link starts a login at one of
// those, for the share and the address that were sealed, for as long as they were. Showing it does nothing.

import type { ProviderAppearance } from '../domain/provider-appearance.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { Share } from '../domain/share.ts';
import type { Answer } from '../http/answer.ts';
import { chooserContent } from '../http/chooser-page.ts';
import { renderPage } from '../http/page.ts';
import type { Provider } from '../providers/provider.ts';
import { faultPage, redirectAnswer } from './answers.ts';
import { lastFirst, lastProviders } from './last-providers.ts';
import { type LoginChoice, loginStart, openLoginChoice } from './login-choice.ts';
import type { LoginDeps, LoginHttpRequest } from './login-deps.ts';
import { safeReturnUrl } from './return-url.ts';
import { openShareAction, providersForLogin } from './share-for-login.ts';

export function choose(deps: LoginDeps, request: LoginHttpRequest): Answer {
  const choice = openLoginChoice(deps.seal, request.query.get('request') ?? '');
  if (choice === null)
    throw new ServiceError('request_invalid', 'Cannot choose a provider: the request was not made here');
  try {
    if (deps.now() >= choice.expiresAt)
      throw new ServiceError('request_expired', 'Cannot choose a provider: the request is too old');
    const found = providersForLogin(deps, request, choice);
    const [first, ...others] = found.providers;
    return others.length === 0
      ? redirectAnswer(startAt(deps, { ...found, choice }, first.name), [])
      : chooserPage(deps, request, { ...found, choice });
  } catch (error) {
    const actions = openShareAction(deps, choice);
    return faultPage(deps, request, { error, actions, target: choice });
  }
}

type Choosing = {
  readonly choice: LoginChoice;
  readonly share: Share;
  readonly providers: readonly Provider[];
};

function chooserPage(
  deps: LoginDeps,
  request: LoginHttpRequest,
  { choice, share, providers }: Choosing,
): Answer {
  const last = lastProviders(deps.oauth, request.cookies);
  const shown = lastFirst(providers, last).map(({ name, appearance }) => {
    const { displayName = name, icon = null } = appearance ?? {};
    return { name, displayName, icon };
  });
  return renderPage(
    chooserContent({
      host: new URL(safeReturnUrl(choice.returnUrl, share, deps.shareBase)).host,
      choices: shown.map(({ name, displayName, icon }, index) => ({
        label: displayName,
        note: noteOf({ name, displayName }, { shown, isLast: index === 0 && name === last[0] }),
        icon,
        href: startAt(deps, { choice, share }, name),
      })),
      requestId: request.requestId,
    }),
    deps.brand,
  );
}

type Named = Pick<ProviderAppearance, 'displayName'> & { readonly name: string };

/** Two that look the same are told apart by what is theirs alone. */
function noteOf(
  { name, displayName }: Named,
  { shown, isLast }: { readonly shown: readonly Named[]; readonly isLast: boolean },
): string | null {
  const isOnlyOne = shown.filter((other) => other.displayName === displayName).length === 1;
  const notes = [...(isOnlyOne ? [] : [name]), ...(isLast ? ['last used'] : [])];
  return notes.join(', ') || null;
}

/** No later than the choice: showing the page again makes nothing last longer. */
function startAt(
  { seal, oauth: { endpointUrl } }: LoginDeps,
  { choice, share }: Pick<Choosing, 'choice' | 'share'>,
  name: string,
): string {
  return loginStart({ seal, endpointUrl }, share, { ...choice, providerNames: [name] });
}
