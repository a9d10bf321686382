// GET /auth/login: sends a member to log in. `provider` names with what, `account` the account that is meant;
// `prompt` asks the provider for another account of the person. Invitations are accepted at a page of their
// own.

import { ServiceError } from '../../domain/service-error.ts';
import { parseInvitationToken } from '../../domain/invitation-token.ts';
import type { Answer } from '../../http/answer.ts';
import { renderPage } from '../../http/page.ts';
import type { ControlDeps } from '../control-deps.ts';
import { accountOf, displayNameOf, readConsoleCookie } from './console-settings.ts';
import { INVITATION_PATH } from './invitation-page.ts';
import type { ConsoleVisit } from './console-visit.ts';
import { setOut } from './set-out.ts';

export function startConsoleLogin(deps: ControlDeps, visit: ConsoleVisit): Answer {
  const { query } = visit;
  const { console: known } = deps.settings();
  const invitation = query.get('invitation');
  if (invitation !== null) return toInvitationPage(invitation);
  const accountName = readAccountName(query.get('account'));
  const names = known.configuredProviders;
  const [only] = names;
  const name = query.get('provider') ?? (names.length === 1 ? only : undefined);
  if (name === undefined) return choosePage(deps, visit, names);
  const provider = known.findProvider(name);
  if (provider === undefined)
    throw new ServiceError('provider_unknown', `Cannot log in: there is no provider ${name}`);
  accountOf(provider);
  // Another site could choose the provider, and with it as whom this browser would be logged in: of its
  // account, say. So could a link in a message, to which browsers say what they say to a typed address: no
  // login is swapped unasked.
  if (visit.isLed || isLoggedInUnled(deps, visit)) return choosePage(deps, visit, [name]);
  const { url, bindingCookie } = setOut(deps, visit.cookie, {
    providerName: name,
    invitation: null,
    accountName,
    selectAccount: query.has('prompt'),
  });
  return redirectTo(url, [['set-cookie', bindingCookie]]);
}

/** Links that were sent before they had the invitation in their fragment. From here on it is there alone. */
function toInvitationPage(text: string): Answer {
  if (parseInvitationToken(text) === null)
    throw new ServiceError('invitation_invalid', 'Cannot accept the invitation: the code is malformed');
  return redirectTo(`${INVITATION_PATH}#${text}`);
}

function redirectTo(location: string, headers: Answer['headers'] = []): Answer {
  return {
    status: 302,
    headers: [
      ['location', location],
      ['cache-control', 'no-store'],
      ['referrer-policy', 'no-referrer'],
      ...headers,
    ],
    body: null,
  };
}

/** No page led here, as far as the browser says, and there is a login to lose. */
function isLoggedInUnled({ settings }: ControlDeps, { isUnled, cookie }: ConsoleVisit): boolean {
  return isUnled && readConsoleCookie(settings().console, 'svc-control', cookie) !== null;
}

function choosePage(deps: ControlDeps, visit: ConsoleVisit, names: readonly string[]): Answer {
  const { query, requestId, isLed } = visit;
  const asked = isLoggedInUnled(deps, visit) ? LOGGED_IN : 'Choose how to log in.';
  const kept = [...query].filter(([name]) => name !== 'provider');
  return renderPage(
    {
      status: 200,
      tone: 'info',
      title: 'Log in',
      paragraphs: [isLed ? LED : asked],
      details: [],
      actions: names.map((name) => ({
        label: labelOf(deps, name, names),
        href: `/auth/login?${new URLSearchParams([...kept, ['provider', name]])}`,
        primary: false,
      })),
      requestId,
    },
    deps.settings().console.brand,
  );
}

/** Two that look the same are told apart by their names. */
function labelOf({ settings }: ControlDeps, name: string, names: readonly string[]): string {
  const { findProvider } = settings().console;
  const shown = (each: string) => {
    const provider = findProvider(each);
    return provider === undefined ? each : displayNameOf(provider);
  };
  const isOnlyOne = names.every((other) => other === name || shown(other) !== shown(name));
  return isOnlyOne ? shown(name) : `${shown(name)} (${name})`;
}

function readAccountName(text: string | null): string | null {
  if (text === null || ACCOUNT_NAME.test(text)) return text;
  throw new ServiceError('bad_request', 'Cannot log in: the account name is not valid');
}

const ACCOUNT_NAME = /^[a-z0-9-]{1,40}$/;
const LED =
  'Another site sent you here. Continue only if you want to log in: a new login ends the one that this browser has here.';
const LOGGED_IN =
  'This browser is already logged in. Continue only if you want to log in again: a new login ends the current one.';
