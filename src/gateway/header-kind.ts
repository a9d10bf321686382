// What kind of header a name is, as the gate treats it (DESIGN "Stripping"). Backends that turn headers into
// variables take `_`, `.` and `-` for the same character, so names are compared in lower case with each
// character that is neither letter nor digit as `-`.

export type HeaderKind =
  /** Passed on byte for byte. */
  | 'pass'
  /** Of this connection only (RFC 9110 section 7.6.1), or written by the client towards the backend. */
  | 'hop'
  /** What only the gate may say: identity, certificates, forwarding. Never passed on. */
  | 'reserved'
  | 'cookie'
  /** Passed on unless it is a service token. */
  | 'authorization'
  | 'host'
  | 'trailer'
  | 'expect';

export type HeaderKinds = (name: string) => HeaderKind;

/**
 * The kinds for one `gateway.identity_header_prefix`; `more` are further names that nobody may send. Answers
 * are remembered for names seen before, within bounds.
 */
export function createHeaderKinds(
  identityHeaderPrefix: string,
  more: ReadonlySet<string> = NONE,
): HeaderKinds {
  const reserved = [...RESERVED_PREFIXES, normalisedName(identityHeaderPrefix)];
  const known = new Map<string, HeaderKind>();
  return (name) => {
    const seen = known.get(name);
    if (seen !== undefined) return seen;
    const kind = more.has(normalisedName(name)) ? 'reserved' : kindOf(name, reserved);
    if (known.size < MAX_KNOWN_NAMES && name.length <= MAX_KNOWN_LENGTH) known.set(name, kind);
    return kind;
  };
}

/** A header name as it is compared. */
export function normalisedName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, '-');
}

/** The header that ends loops through this gateway. */
export const HOP_MARKER = 'doorward-hop';

function kindOf(name: string, reserved: readonly string[]): HeaderKind {
  const lower = name.toLowerCase();
  const special = SPECIAL.get(lower);
  if (special !== undefined) return special;
  const normalised = normalisedName(name);
  if (RESERVED_NAMES.has(normalised)) return 'reserved';
  return reserved.some((prefix) => normalised.startsWith(prefix)) ? 'reserved' : 'pass';
}

const SPECIAL: ReadonlyMap<string, HeaderKind> = new Map([
  ['connection', 'hop'],
  ['keep-alive', 'hop'],
  ['proxy-connection', 'hop'],
  ['proxy-authenticate', 'hop'],
  ['proxy-authorization', 'hop'],
  ['te', 'hop'],
  ['transfer-encoding', 'hop'],
  ['upgrade', 'hop'],
  ['http2-settings', 'hop'],
  ['content-length', 'hop'],
  // Common gateways turn it into HTTP_PROXY for the program behind them.
  ['proxy', 'hop'],
  ['cookie', 'cookie'],
  ['authorization', 'authorization'],
  ['host', 'host'],
  ['trailer', 'trailer'],
  ['expect', 'expect'],
]);

/** By these, backends take a request for one of another path or method. */
export const OVERRIDES: ReadonlySet<string> = new Set([
  'x-original-url',
  'x-original-uri',
  'x-rewrite-url',
  'x-override-url',
  'x-http-method-override',
  'x-http-method',
  'x-method-override',
]);

const NONE: ReadonlySet<string> = new Set();

/** `x-request-id` and the loop marker are written by the gate, too. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(['forwarded', 'x-real-ip', 'x-request-id', HOP_MARKER]);
const RESERVED_PREFIXES = ['svc-auth-', 'client-cert', 'x-forwarded-'];

/** Real visitors use a few hundred names; what a hostile one invents is worked out each time. */
const MAX_KNOWN_NAMES = 2_000;
const MAX_KNOWN_LENGTH = 64;
