// POST /auth/invitation: what the page of an invitation asks. Without a provider it says with which ones one
// may log in; with one it begins that login, whose sealed request holds the invitation's id. The token is
// looked up and forgotten.

import type { Context } from 'hono';
import { parseInvitationToken } from '../../domain/invitation-token.ts';
import { secretHash } from '../../domain/secret.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { OpenInvitation } from '../../store/people/people.ts';
import type { ControlDeps, ControlEnv } from '../control-deps.ts';
import type { FailedKeys } from '../../domain/failed-keys.ts';
import { checkJsonBody } from '../json-body.ts';
import { accountOf, type ConsoleSettings, displayNameOf } from './console-settings.ts';
import { requireOwnPage } from './own-page.ts';
import { setOut } from './set-out.ts';

type Deps = ControlDeps & { readonly failedKeys: FailedKeys };

export async function logInInvited(deps: Deps, c: Context<ControlEnv>): Promise<Response> {
  const { console: known } = deps.settings();
  requireOwnPage(c.req, known.publicUrl);
  await checkJsonBody(c);
  const asked = askedIn(await c.req.json());
  const invitation = await findInvitation(deps, asked.invitation, c.env.address);
  const names = usableNames(deps, invitation);
  c.header('cache-control', 'no-store');
  if (asked.provider === null)
    return c.json({ providers: names, displayNames: displayNamesOf(known, names) });
  const provider = names.includes(asked.provider) ? known.findProvider(asked.provider) : undefined;
  if (provider === undefined)
    throw new ServiceError(
      'provider_unknown',
      'Cannot log in: this invitation cannot be accepted with that provider',
    );
  accountOf(provider);
  const { url, bindingCookie } = setOut(deps, c.req.header('cookie'), {
    providerName: provider.name,
    invitation: invitation.id,
    accountName: null,
    selectAccount: false,
  });
  c.header('set-cookie', bindingCookie);
  return c.json({ url });
}

type Asked = { readonly invitation: string; readonly provider: string | null };

/** Throws `validation_failed`, without a word of what was given. */
function askedIn(body: unknown): Asked {
  const { invitation, provider = null } = (typeof body === 'object' && body !== null ? body : {}) as Partial<
    Record<string, unknown>
  >;
  if (typeof invitation === 'string' && (provider === null || typeof provider === 'string'))
    return { invitation: invitation.trim(), provider };
  throw new ServiceError('validation_failed', 'Cannot log in: the body is not {"invitation": "dwi_…"}', {
    extra: { faults: [{ path: 'invitation', message: 'send the invitation code as text' }] },
  });
}

/** Throws `invitation_invalid`, and `rate_limited` to who tries many. */
async function findInvitation(
  { store, failedKeys }: Deps,
  text: string,
  address: string,
): Promise<OpenInvitation> {
  const token = parseInvitationToken(text);
  const found = token === null ? null : await store.members.findInvitation(secretHash(token));
  if (found !== null) return found;
  const retryAfterSeconds = failedKeys.count(address);
  if (retryAfterSeconds !== null)
    throw new ServiceError(
      'rate_limited',
      'Cannot accept an invitation: too many wrong codes came from this address',
      {
        extra: { retryAfterSeconds },
      },
    );
  throw new ServiceError(
    'invitation_invalid',
    'Cannot accept the invitation: it is unknown, used or expired',
    { hint: 'Ask the person who invited you for a new invitation.' },
  );
}

/** The configuration's providers, and those of its account that can be used here. */
function usableNames({ settings }: ControlDeps, { accountId }: OpenInvitation): readonly string[] {
  const { console: known, providersOf } = settings();
  return providersOf(accountId)
    .filter(
      ({ name, accountId: owner }) => owner === null || known.findProvider(name)?.verifiesEmail === true,
    )
    .map(({ name }) => name);
}

/** In the order of the names: a page of the version before knows the names alone. */
function displayNamesOf(
  { findProvider }: Pick<ConsoleSettings, 'findProvider'>,
  names: readonly string[],
): readonly string[] {
  return names.map((name) => {
    const provider = findProvider(name);
    return provider === undefined ? name : displayNameOf(provider);
  });
}
