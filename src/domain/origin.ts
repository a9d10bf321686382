// Origins as browsers write them (RFC 6454 section 6.2): the values of `--allow-origin` (DESIGN 2.4, 3).

import { ServiceError } from './service-error.ts';

/**
 * `https://app.example.com` or `http://localhost:5173`: http or https, a host, a port where it is not the
 * scheme's own. Case and a written default port are put right. Throws `validation_failed` for `*`, `null`,
 * paths, userinfo and the rest.
 */
export function parseOrigin(text: string): string {
  if (text.length > MAX_ORIGIN_LENGTH || !ORIGIN.test(text)) throw refusal(text);
  const url = URL.parse(text);
  if (url === null || url.port === '0') throw refusal(text);
  return url.origin;
}

function refusal(text: string): ServiceError {
  return new ServiceError(
    'validation_failed',
    `Cannot parse origin: "${text.slice(0, 100)}" is not an http(s) origin`,
    {
      hint: 'Write scheme, host and port without a path, such as https://app.example.com.',
    },
  );
}

/**
 * No character here means anything but itself to the URL parser; names in other scripts are written as
 * `xn--…`.
 */
const ORIGIN = /^https?:\/\/(?:[a-z0-9_.-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;
/** A host name of 253 characters, with scheme and port. */
const MAX_ORIGIN_LENGTH = 270;
