// Whether an email pattern names a domain that somebody can own, so that whoever it lets in has an address
// there or below. Read from the end: what a pattern leaves open before may be the rest of a longer name.

import { getDomain } from 'tldts';
import { type Way, writtenOut } from './email-glob-machine.ts';
import { type CharacterSet, parseEmailGlob } from './email-pattern-syntax.ts';

/** `*@example.com` and `*@*.example.com` do; `*@*example.com`, `*@e*.com` and `*@*.co.uk` do not. */
export function namesDomain(pattern: string): boolean {
  return writtenOut(parseEmailGlob(pattern)).every((way) => {
    const end = literalEnd(way);
    const at = end.lastIndexOf('@');
    // Without an `@` the first label may be the end of another.
    const domain = end.slice((at === -1 ? end.indexOf('.') : at) + 1);
    return getDomain(domain, { allowPrivateDomains: true, validateHostname: false }) !== null;
  });
}

function literalEnd(way: Way): string {
  const open = way.findLastIndex((part) => part === 'run' || letterOf(part) === null);
  return way
    .slice(open + 1)
    .map((part) => (part === 'run' ? '' : letterOf(part)))
    .join('');
}

/** In lower case; null for a set of several. */
function letterOf({ codes, except }: CharacterSet): string | null {
  const letters = new Set(codes.map((code) => String.fromCodePoint(code).toLowerCase()));
  const [letter] = letters;
  return except === null && letters.size === 1 && letter !== undefined ? letter : null;
}
