// Whether proxies of the operator's own can ask about requests: the secret that they show, the addresses that
// they may tell of, and whether the hosts of their apps lead here with the paths that are Doorward's.

import type { Config } from '../../config/config.ts';
import { type Check, fails, passes, warns } from '../../domain/check.ts';
import { hostOrigin } from '../../domain/share-name.ts';

/** What a GET is answered with; null when nothing answers. */
export type Ask = (url: string) => Promise<{ readonly status: number; readonly type: string } | null>;

/** `hosts`: of the shares behind a proxy. None where there is neither such a share nor a section. */
export async function forwardAuthChecks(
  { forwardAuth, gateway }: Config,
  hosts: readonly string[],
  ask: Ask,
): Promise<readonly Check[]> {
  if (hosts.length === 0) return [];
  const routed = await Promise.all(
    hosts.slice(0, MOST_ASKED).map((host) => routeCheck(hostOrigin(host, gateway.publicUrl), ask)),
  );
  return [
    forwardAuth === null
      ? fails('secret', 'shares are behind a proxy, and no proxy may ask about requests', SECRET_HINT)
      : passes('secret', 'proxies show it as svc-auth-secret'),
    gateway.trustedProxies.length === 0
      ? warns('trusted proxies', 'none: below /.svc/, every visitor has the address of the proxy', TRUST_HINT)
      : passes('trusted proxies', gateway.trustedProxies.join(', ')),
    ...routed,
  ];
}

/** By a script that is the same for everybody. */
async function routeCheck(origin: string, ask: Ask): Promise<Check> {
  const answer = await ask(`${origin}/.svc/session.js`);
  if (answer === null) return warns('host', `${origin} does not answer this machine`, REACH_HINT);
  if (answer.status === 200 && answer.type.startsWith('text/javascript'))
    return passes('host', `${origin} passes /.svc/ on`);
  return fails(
    'host',
    `${origin}/.svc/session.js is answered with ${answer.status}, not by Doorward`,
    ROUTE_HINT,
  );
}

/** Follows no redirect. Null when nothing answers in time, or not with a certificate that is trusted. */
export async function askHost(url: string): ReturnType<Ask> {
  try {
    const answer = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(LIMIT_MS) });
    await answer.body?.cancel();
    return { status: answer.status, type: answer.headers.get('content-type') ?? '' };
  } catch {
    return null;
  }
}

const SECRET_HINT =
  'Add forward_auth with a secret, and send it from the proxy: docs/how-to/forward-auth.md.';
const TRUST_HINT = 'Put the addresses of the proxy into gateway.trusted_proxies.';
const REACH_HINT = 'Open the address from another machine, if this one cannot reach it.';
const ROUTE_HINT = 'Let the proxy pass everything below /.svc/ of this host on to Doorward, without asking.';
/** Each may take its time. */
const MOST_ASKED = 5;
const LIMIT_MS = 5_000;
