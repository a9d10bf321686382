// The backend of a share, judged when it is made or changed: an address that the gateway may dial (DESIGN 3,
// "Calls out"). The data plane judges again each time it dials. A name must resolve now: nobody could tell
// what else it allows.

import { readTargetUrl, type TargetUrl } from '../../domain/target-url.ts';
import { portOf } from '../../domain/url-place.ts';
import { createAddressList } from '../../domain/address-list.ts';
import type { AccountId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { checkTarget, type DialTarget } from '../../providers/dial-target.ts';
import { laneOf, nameLookup } from '../../providers/name-places.ts';
import type { ControlSettings } from '../control-deps.ts';
import { inputRefused } from '../input-fault.ts';

/**
 * The target in one notation (`http://127.0.0.1:3000`). Throws `validation_failed` for what is no http, https
 * or h2c address of host and port alone, `target_refused` for a special-purpose address that
 * `gateway.direct_targets` does not list, for the service's own listeners, for metadata services, and for a
 * name that does not resolve.
 */
export async function parseTarget(
  text: string,
  settings: Pick<ControlSettings, 'directTargets' | 'ownListeners'> & { readonly accountId: AccountId },
): Promise<string> {
  const { scheme, url } = parseTargetUrl(text);
  const port = portOf(url);
  const target = { host: url.hostname, port };
  try {
    await checkTarget(target, {
      allow: createAddressList(settings.directTargets),
      ownListeners: settings.ownListeners,
      refused: 'target_refused',
      unresolved: 'target_refused',
      lookup: nameLookup(laneOf(settings.accountId, 'calls')),
    });
  } catch (error) {
    throw error instanceof ServiceError ? refusal(text, target, error) : error;
  }
  return `${scheme}://${url.host}`;
}

/** No character that the URL parser would skip or read as another part may stand in it. */
function parseTargetUrl(text: string): TargetUrl {
  const target = TARGET.test(text) ? readTargetUrl(text) : null;
  if (target !== null && target.url.port !== '0') return target;
  throw inputRefused([
    { path: 'target', message: 'use http://host:port, https://host:port or h2c://host:port, without a path' },
  ]);
}

function refusal(text: string, { host, port }: DialTarget, cause: ServiceError): ServiceError {
  const reason = cause.message.lastIndexOf(': ');
  const found = reason === -1 ? 'its name does not resolve' : cause.message.slice(reason + 2);
  return new ServiceError('target_refused', `Cannot use the target ${text}: ${found}`, {
    cause,
    hint:
      `The operator can allow an address of their own network in the configuration, as gateway.direct_targets: ` +
      `["${host}:${port}"]. The service's own listeners, metadata services and names that do not resolve stay refused.`,
    extra: { faults: [{ path: 'target', message: found }] },
  });
}

const TARGET = /^(?:https?|h2c):\/\/[^\s/?#@\\\p{Cc}]+\/?$/iu;
