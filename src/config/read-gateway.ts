// The `gateway` section (DESIGN 2.1).

import { parseAddressEntry } from '../domain/address-list.ts';
import { parseAddressRange } from '../domain/address-range.ts';
import { shareBaseText } from './address-text.ts';
import type { GatewayConfig } from './config.ts';
import { readListener } from './read-listener.ts';
import { complete, readCount, readList, readOptional, readText, Refusal, type Section } from './section.ts';

export function readGateway(section: Section, hasCertificates: boolean): GatewayConfig | undefined {
  const listener = readListener(section, hasCertificates);
  const parts = complete({
    publicUrl: readText(section, 'public_url', shareBaseText(section.context)),
    workers: readCount(section, 'workers', { absent: 1, most: MAX_WORKERS }),
    trustedProxies: readList(section, 'trusted_proxies', { parse: rangeText, absent: [] }),
    directTargets: readList(section, 'direct_targets', { parse: entryText, absent: [] }),
    identityHeaderPrefix: readOptional(section, 'identity_header_prefix', {
      parse: prefixText,
      absent: 'svc-auth-',
    }),
  });
  return listener === undefined || parts === undefined ? undefined : { ...listener, ...parts };
}

function rangeText(text: string): string | Refusal {
  return parseAddressRange(text) === null ? new Refusal('an address or a range such as 10.0.0.0/8') : text;
}

/** An entry of `direct_targets` or `outbound_allow`. */
export function entryText(text: string): string | Refusal {
  try {
    parseAddressEntry(text);
    return text;
  } catch {
    return new Refusal(
      'an address, a range or a host name with an optional port, such as 127.0.0.1:3000 or 10.0.0.0/8',
    );
  }
}

/**
 * Everything that begins so is taken from requests, so it must not begin the names of headers that others
 * need.
 */
function prefixText(text: string): string | Refusal {
  if (!/^[a-z0-9][a-z0-9-]{0,38}-$/.test(text))
    return new Refusal('a-z, 0-9 and - with a - at the end, such as svc-auth-');
  const taken = COMMON_HEADERS.find((name) => name.startsWith(text));
  return taken === undefined ? text : new Refusal(`a prefix that ${taken} does not start with`);
}

/** More threads than this on one port is a mistake; each holds a route table of its own. */
const MAX_WORKERS = 64;
/** One header for each family whose loss would break requests. */
const COMMON_HEADERS = [
  'accept-encoding',
  'access-control-request-method',
  'cache-control',
  'content-length',
  'if-none-match',
  'keep-alive',
  'last-event-id',
  'proxy-authorization',
  'sec-fetch-site',
  'sec-websocket-key',
  'transfer-encoding',
  'upgrade-insecure-requests',
  'user-agent',
  'x-csrf-token',
  'x-forwarded-for',
  'x-requested-with',
];
