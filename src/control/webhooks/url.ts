// Where a webhook may be (DESIGN "Calls out"), judged when it is made; the dialler judges again at each delivery.

import { portOf } from '../../domain/url-place.ts';
import { createAddressList } from '../../domain/address-list.ts';
import { isLoopbackName } from '../../domain/host-name.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { checkTarget } from '../../providers/dial-target.ts';
import type { ControlSettings } from '../control-deps.ts';
import { inputRefused } from '../input-fault.ts';

/**
 * The address in one notation. Throws `validation_failed` for anything but https (http on this machine) without user and
 * fragment, `target_refused` for an address that may not be called. A name that does not resolve now may do so later.
 */
export async function parseWebhookUrl(
  text: string,
  settings: Pick<ControlSettings, 'outboundAllow' | 'ownListeners'>,
): Promise<string> {
  const url = ADDRESS.test(text) ? URL.parse(text) : null;
  if (url === null || url.port === '0' || (url.protocol === 'http:' && !isLoopbackName(url.hostname)))
    throw inputRefused([{ path: 'url', message: 'write an https address, without user and fragment' }]);
  const port = portOf(url);
  try {
    await checkTarget(
      { host: url.hostname, port },
      {
        allow: createAddressList(settings.outboundAllow),
        ownListeners: settings.ownListeners,
        refused: 'target_refused',
        unresolved: 'not_found',
      },
    );
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    if (error.code !== 'not_found') throw refusal(url, error);
  }
  return url.href;
}

function refusal(url: URL, cause: ServiceError): ServiceError {
  const found = cause.message.slice(cause.message.lastIndexOf(': ') + 2);
  return new ServiceError('target_refused', `Cannot call ${url.host}: ${found}`, {
    cause,
    hint: 'The operator can list an address of their own network in the configuration, under outbound_allow.',
    extra: { faults: [{ path: 'url', message: found }] },
  });
}

/** No character that the URL parser would skip or read as another part. */
const ADDRESS = /^https?:\/\/[^\s/?#@\\\p{Cc}]+(?:[/?][^\s#\\\p{Cc}]*)?$/iu;
