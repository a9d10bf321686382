// Who calls the API: an API key first, then a login at the console, then a client certificate that has a
// role. Where certificates are required, a key or a login counts only beside a certificate of the same
// account, and a person sees their own things of that account alone.

import type { Context } from 'hono';
import { ServiceError } from '../domain/service-error.ts';
import { authenticate } from './authenticate.ts';
import {
  certificateCaller,
  heldCertificate,
  requireNoForeignPage,
  rightsDeps,
} from './certificates/holder.ts';
import { consoleCaller } from './console/console-caller.ts';
import type { AccountId } from '../domain/id.ts';
import type { Authenticated, ControlDeps, ControlEnv } from './control-deps.ts';
import type { FailedKeys } from '../domain/failed-keys.ts';

/**
 * Throws `certificate_required` and the like, and what `authenticate()`, `consoleCaller()` and
 * `certificateCaller()` throw.
 */
export async function whoCalls(
  deps: ControlDeps & { readonly failedKeys: FailedKeys },
  { req, env }: Context<ControlEnv>,
): Promise<Authenticated> {
  const authenticated = await whoShows(deps, { req, env });
  requireAccountOfPage(req.header(PAGE_ACCOUNT), authenticated);
  return authenticated;
}

/**
 * A page of the console says of which account it is: its browser may have changed to another since, in
 * another tab, and what was decided on the page must not happen there. Throws `account_changed`.
 */
export function requireAccountOfPage(
  account: string | undefined,
  { caller }: Pick<Authenticated, 'caller'>,
): void {
  if (account === undefined || account === (caller?.accountId ?? NO_ACCOUNT)) return;
  throw new ServiceError(
    'account_changed',
    'Cannot make this call: this browser changed to another account, and the page is of the one before',
    { hint: 'Load the page again, or change back to its account.' },
  );
}

async function whoShows(
  deps: ControlDeps & { readonly failedKeys: FailedKeys },
  { req, env }: Pick<Context<ControlEnv>, 'req' | 'env'>,
): Promise<Authenticated> {
  const { clientCertificates, console } = deps.settings();
  const required = clientCertificates === 'required' ? await heldCertificate(deps, env) : null;
  const authorization = req.header('authorization');
  const found =
    authorization === undefined
      ? await consoleCaller(deps, req, env)
      : { caller: await authenticate(authorization, env, deps), me: null, operates: false };
  if (found !== null) return required === null ? found : besideCertificate(found, required.accountId);
  // Without any credential the answer is the one that tells of API keys.
  if (clientCertificates === 'none' || env.certificate === null)
    return { caller: await authenticate(undefined, env, deps), me: null, operates: false };
  requireNoForeignPage(req, console.publicUrl);
  const held = required ?? (await heldCertificate(deps, env));
  return { caller: await certificateCaller(rightsDeps(deps), held, env), me: null, operates: false };
}

/**
 * Where certificates are required, the connection brought one of the account. Throws what `whoCalls` throws.
 */
export async function requireCertificateOf(
  deps: ControlDeps,
  env: ControlEnv['Bindings'],
  accountId: AccountId,
): Promise<void> {
  if (deps.settings().clientCertificates !== 'required') return;
  if ((await heldCertificate(deps, env)).accountId !== accountId) throw foreignCertificate();
}

function besideCertificate({ caller, me, operates }: Authenticated, accountId: AccountId): Authenticated {
  const account = caller === null ? (me?.within ?? accountId) : caller.accountId;
  if (account !== accountId) throw foreignCertificate();
  // A member's provider may be another account's only if it is the configuration's, which is of none.
  return { caller, me: me === null ? null : { ...me, within: accountId }, operates };
}

function foreignCertificate(): ServiceError {
  return new ServiceError(
    'certificate_foreign',
    'Cannot authorize the call: its certificate belongs to another account',
  );
}

/** Sent with each call of a page of the console. */
const PAGE_ACCOUNT = 'doorward-account';
/** Of a person who is no member. */
const NO_ACCOUNT = 'none';
