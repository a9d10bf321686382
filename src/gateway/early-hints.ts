// The links of early hints (RFC 8297, RFC 8288) that may be passed on. Node throws for a link in another
// form, and takes exponential time to find out; a backend must not be able to end or stall the gate by that.

import { valuesOf } from './flat-headers.ts';

/**
 * The links of all Link headers, one by one; what is none, or written in a rarer way, is left out: hints are
 * optional.
 */
export function hintedLinks(headers: readonly string[]): string[] {
  return valuesOf(headers, 'link')
    .flatMap((value) => value.split(BETWEEN_LINKS))
    .filter((link) => LINK.test(link));
}

const BETWEEN_LINKS = /,[ \t]*(?=<)/;
/** Each part can be read in one way only, so the time is linear. */
const LINK = /^<[!-;=?-~]*>(?:[ \t]*;[ \t]*[a-z]+\*?(?:="[!#-:<-~]*"|=[!#-:<-~]*)?)*$/i;
