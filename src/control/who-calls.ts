// Who calls the API: an API key first, then a member's login, then a client certificate that has a role. Where certificates
// are required, a key or a login counts only beside a certificate of the same account.

import type { Context } from 'hono';
import { ServiceError } from '../domain/service-error.ts';
import { authenticate } from './authenticate.ts';
import { certificateCaller, heldCertificate, requireNoForeignPage } from './certificate-holder.ts';
import { consoleCaller } from './console/console-caller.ts';
import type { Caller, ControlDeps, ControlEnv } from './control-deps.ts';
import type { FailedKeys } from './failed-keys.ts';

/** Throws `certificate_required` and the like, and what `authenticate()`, `consoleCaller()` and `certificateCaller()` throw. */
export async function whoCalls(
  deps: ControlDeps & { readonly failedKeys: FailedKeys },
  { req, env }: Context<ControlEnv>,
): Promise<Caller> {
  const { clientCertificates, console } = deps.settings();
  const required = clientCertificates === 'required' ? await heldCertificate(deps, env) : null;
  const authorization = req.header('authorization');
  const caller =
    authorization === undefined
      ? await consoleCaller(deps, req, env)
      : await authenticate(authorization, env, deps);
  if (caller !== null) {
    if (required === null || required.accountId === caller.accountId) return caller;
    throw new ServiceError(
      'certificate_foreign',
      'Cannot authorize the call: its certificate is not of the account that calls',
    );
  }
  // Without any credential the answer is the one that tells of API keys.
  if (clientCertificates === 'none' || env.certificate === null) return authenticate(undefined, env, deps);
  requireNoForeignPage(req, console.publicUrl);
  return certificateCaller(deps, required ?? (await heldCertificate(deps, env)), env);
}
