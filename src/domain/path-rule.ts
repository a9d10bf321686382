// Paths in rules: exact, or a prefix that ends in `/*` at a segment. A path that two readers could take for
// two different ones is not compared at all: whoever asks refuses it first.

import { ServiceError } from './service-error.ts';

/** Plain data, so that a hundred of them are compared without a call of a different function each. */
export type PathRule = {
  readonly text: string;
  /** The path; of a prefix with the slash at its end. */
  readonly plain: string;
  /** Of a prefix, what it is without that slash; null for a whole path. */
  readonly whole: string | null;
  /** Of a rule that refuses: it holds whatever a backend may take for the path. */
  readonly isWide: boolean;
};

/** `path`: as `comparablePath()` answers it. */
export function matchesPath({ plain, whole, isWide }: PathRule, path: string): boolean {
  const compared = isWide ? widePath(path) : path;
  return whole === null ? compared === plain : compared.startsWith(plain) || compared === whole;
}

/** The rule as one that refuses: in whatever case, and with a slash at the end of a whole path or without. */
export function wideRule({ text, plain, whole }: PathRule): PathRule {
  const wide = widePath(plain);
  const isPrefix = whole !== null;
  // Whatever there is: `*`, too, which asks about the whole server (RFC 9112 section 3.2.4).
  if (isPrefix && wide === '/') return { text, plain: '', whole: '', isWide: true };
  return {
    text,
    plain: isPrefix && !wide.endsWith('/') ? `${wide}/` : wide,
    whole: isPrefix ? wide : null,
    isWide: true,
  };
}

/** As backends find routes that look at neither case nor a slash at the end, which are many. */
export function widePath(path: string): string {
  if (path === lastWide.path) return lastWide.wide;
  const lower = (path.includes('%') ? decodeURIComponent(path) : path).toLowerCase();
  const wide = lower.length > 1 && lower.endsWith('/') ? lower.slice(0, -1) : lower;
  lastWide = { path, wide };
  return wide;
}

/** A request is asked about by one rule after the other. */
let lastWide = { path: '/', wide: '/' };

/** `/healthz`, `/hooks/*`, `/*`. The prefix `/hooks/*` holds `/hooks` too. Throws `validation_failed`. */
export function parsePathRule(text: string): PathRule {
  if (text.length > MAX_LENGTH) throw refusal(text, `it has more than ${MAX_LENGTH} characters`);
  const isPrefix = text.endsWith('/*');
  const written = isPrefix ? text.slice(0, -1) : text;
  if (!PLAIN.test(written))
    throw refusal(text, 'it has characters that no path has, or a "*" before its end');
  const plain = comparablePath(written);
  if (plain === null) throw refusal(text, 'other programs could read it as another path');
  return { text, plain, whole: isPrefix ? plain.slice(0, -1) : null, isWide: false };
}

/**
 * A path without its query, in the one spelling that rules are compared with; null when backends may take it
 * for another path: dot segments, empty segments, path parameters, backslashes, and whatever is encoded
 * without need, or separates (RFC 3986 sections 2.4, 3.3, 6.2.2).
 */
export function comparablePath(path: string): string | null {
  if (!SUSPECT.test(path)) return path;
  if (AMBIGUOUS.test(path)) return null;
  if (!path.includes('%')) return path;
  return isEncodedWithNeed(path) ? path.replaceAll(ENCODED, inOneSpelling) : null;
}

function inOneSpelling(octet: string): string {
  const upper = octet.toUpperCase();
  return SENT_EITHER_WAY[upper] ?? upper;
}

/**
 * An octet is encoded with need where it is beyond ASCII and part of UTF-8, or is a character that no path
 * has plainly. Of those `/`, `\\`, `%` and control characters stay out: what decodes twice takes them for
 * more.
 */
function isEncodedWithNeed(path: string): boolean {
  for (let at = path.indexOf('%'); at >= 0; at = path.indexOf('%', at + 1))
    if (!NEEDED.test(path.slice(at, at + 3))) return false;
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

function refusal(text: string, found: string): ServiceError {
  return new ServiceError('validation_failed', `Cannot parse path: "${text.slice(0, 100)}": ${found}`, {
    hint: 'Write a whole path such as /healthz, or the start of one such as /hooks/*, as browsers send it.',
  });
}

/** Any path without these is plain. */
const SUSPECT = /[%\\;."<>`{}]|\/\//;
/** Of what no path has plainly (RFC 3986 section 3.3), browsers send all of these encoded. */
const AMBIGUOUS = /[\\;"<>`{}]|\/\/|(?:^|\/)\.{1,2}(?:\/|$)/;
const ENCODED = /%[\da-f]{2}/gi;
/** Space, `"`, `#`, `<`, `>`, `?`, `[`, `]`, `^`, the backtick, `{`, `|`, `}`, and octets beyond ASCII. */
const NEEDED = /^%(?:2[023]|3[cCeEfF]|5[bBdDeE]|60|7[bBcCdD]|[89a-fA-F][\da-fA-F])$/;
/** Browsers leave these as they are, and programs encode them. */
const SENT_EITHER_WAY: Readonly<Record<string, string>> = { '%5B': '[', '%5D': ']', '%5E': '^', '%7C': '|' };
/** Visible ASCII without query, fragment and `*`. */
const PLAIN = /^\/(?:(?![?#*])[!-~])*$/;
const MAX_LENGTH = 1_024;
