// Where a webhook may be (DESIGN "Calls out"), judged when it is made; the dialler judges again at each
// delivery.

import { isSecureUrl } from '../../domain/secure-url.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { inputRefused } from '../input-fault.ts';
import { outboundRefusal, type OutboundSettings } from '../outbound-target.ts';

/**
 * The address in one notation. Throws `validation_failed` for anything but https (http on this machine)
 * without user and fragment, `target_refused` for an address that may not be called. A name that does not
 * resolve now may do so later.
 */
export async function parseWebhookUrl(text: string, settings: OutboundSettings): Promise<string> {
  const url = ADDRESS.test(text) ? URL.parse(text) : null;
  if (url === null || url.port === '0' || !isSecureUrl(url))
    throw inputRefused([{ path: 'url', message: 'use an https URL without user and fragment' }]);
  const refused = await outboundRefusal(url, settings);
  if (refused !== null) throw refusal(url, refused);
  return url.href;
}

function refusal(url: URL, cause: ServiceError): ServiceError {
  const found = cause.message.slice(cause.message.lastIndexOf(': ') + 2);
  return new ServiceError('target_refused', `Cannot call ${url.host}: ${found}`, {
    cause,
    hint: 'The operator can allow an address of their own network in the configuration, under outbound_allow.',
    extra: { faults: [{ path: 'url', message: found }] },
  });
}

/** No character that the URL parser would skip or read as another part. */
const ADDRESS = /^https?:\/\/[^\s/?#@\\\p{Cc}]+(?:[/?][^\s#\\\p{Cc}]*)?$/iu;
