// GET /auth/login: sends a member to log in. `provider` names with what, `invitation` is the token of an invitation,
// `account` the account that is meant; `prompt` asks the provider for another account of the person.

import { secretHash, randomToken, shortHash } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { parseInvitationToken } from '../../domain/invitation-token.ts';
import type { Answer } from '../../http/answer.ts';
import { renderPage } from '../../http/page.ts';
import { sealConsoleRequest } from '../../login/console-target.ts';
import { loginUrl } from '../../login/login-url.ts';
import type { OpenInvitation } from '../../store/people.ts';
import type { ControlDeps } from '../control-deps.ts';
import type { FailedKeys } from '../failed-keys.ts';
import { accountOf, consoleCookie, readConsoleCookie } from './console-settings.ts';
import type { ConsoleVisit } from './routes.ts';

export async function startConsoleLogin(
  deps: ControlDeps & { readonly failedKeys: FailedKeys },
  visit: ConsoleVisit,
): Promise<Answer> {
  const { query } = visit;
  const settings = deps.settings();
  const accountName = readAccountName(query.get('account'));
  const invitation = await findInvitation(deps, visit);
  const names = usableNames(deps, invitation);
  const [only] = names;
  const name = query.get('provider') ?? (names.length === 1 ? only : undefined);
  if (name === undefined) return choosePage(deps, visit, names);
  const provider = settings.console.findProvider(name);
  if (provider === undefined)
    throw new ServiceError('provider_unknown', `Cannot log in: there is no provider ${name}`);
  accountOf(provider);
  // Another site could choose the provider, and with it as whom this browser would be logged in: of its account, say.
  // So could a link in a message, to which browsers say what they say to a typed address: no login is swapped unasked.
  if (visit.isLed || isLoggedInUnled(deps, visit)) return choosePage(deps, visit, [name]);
  const known = readConsoleCookie(settings.console, 'svc-control-bind', visit.cookie);
  const binding = known ?? randomToken();
  const { intermediateLifetimeMs } = settings.console;
  const request = sealConsoleRequest(settings.console.seal, {
    kind: 'console',
    providerName: name,
    bindingHash: shortHash(binding),
    invitation: invitation?.id ?? null,
    accountName,
    selectAccount: query.has('prompt'),
    expiresAt: deps.now() + intermediateLifetimeMs,
  });
  // As long as the request and the attempt that it leads to can last.
  const maxAgeSeconds = Math.ceil((2 * intermediateLifetimeMs + MINUTE_MS) / 1000);
  const cookie = { name: 'svc-control-bind', value: binding, maxAgeSeconds } as const;
  return {
    status: 302,
    headers: [
      ['location', loginUrl(settings.endpointUrl, name, request)],
      ['set-cookie', consoleCookie(settings.console, cookie)],
      ['referrer-policy', 'no-referrer'],
    ],
    body: null,
  };
}

/** Null without one. Throws `invitation_invalid`, and `rate_limited` to who tries many. */
async function findInvitation(
  { store, failedKeys }: ControlDeps & { readonly failedKeys: FailedKeys },
  { query, address }: ConsoleVisit,
): Promise<OpenInvitation | null> {
  const text = query.get('invitation');
  if (text === null) return null;
  const token = parseInvitationToken(text);
  const found = token === null ? null : await store.members.findInvitation(secretHash(token));
  if (found !== null) return found;
  const retryAfterSeconds = failedKeys.count(address);
  if (retryAfterSeconds !== null)
    throw new ServiceError('rate_limited', 'Cannot accept an invitation: too many failed from there', {
      extra: { retryAfterSeconds },
    });
  throw new ServiceError('invitation_invalid', 'Cannot accept the invitation: it is unknown, used or over');
}

/** The configuration's providers; with an invitation at hand, also those of its account that can be used here. */
function usableNames({ settings }: ControlDeps, invitation: OpenInvitation | null): readonly string[] {
  const { console: known, providersOf } = settings();
  if (invitation === null) return known.configuredProviders;
  return providersOf(invitation.accountId)
    .filter(({ name, accountId }) => accountId === null || known.findProvider(name)?.verifiesEmail === true)
    .map(({ name }) => name);
}

/** No page led here, as far as the browser says, and there is a login to lose. */
function isLoggedInUnled({ settings }: ControlDeps, { isUnled, cookie }: ConsoleVisit): boolean {
  return isUnled && readConsoleCookie(settings().console, 'svc-control', cookie) !== null;
}

function choosePage(deps: ControlDeps, visit: ConsoleVisit, names: readonly string[]): Answer {
  const { query, requestId, isLed } = visit;
  const asked = isLoggedInUnled(deps, visit) ? LOGGED_IN : 'Choose what to log in with.';
  const kept = [...query].filter(([name]) => name !== 'provider');
  return renderPage(
    {
      status: 200,
      tone: 'info',
      title: 'Log in',
      paragraphs: [isLed ? LED : asked],
      details: [],
      actions: names.map((name) => ({
        label: name,
        href: `/auth/login?${new URLSearchParams([...kept, ['provider', name]])}`,
        primary: false,
      })),
      requestId,
    },
    deps.settings().console.brand,
  );
}

function readAccountName(text: string | null): string | null {
  if (text === null || ACCOUNT_NAME.test(text)) return text;
  throw new ServiceError('bad_request', 'Cannot log in: the account is no name');
}

const ACCOUNT_NAME = /^[a-z0-9-]{1,40}$/;
const LED =
  'Another site led you here. Go on only if you want to log in: that ends whatever login this browser has here.';
const LOGGED_IN =
  'This browser is logged in here already. Go on only if you want to log in again: that ends the login that it has.';
const MINUTE_MS = 60_000;
