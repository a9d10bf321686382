// One walk over the headers of a request: the few that the gate reads, and how often those came that may come
// once.

export type HeadFacts = {
  host: string | null;
  hostCount: number;
  cookie: string | null;
  cookieCount: number;
  connection: string | null;
  transferEncoding: string | null;
  contentLength: string | null;
  contentLengthCount: number;
  te: string | null;
  accept: string | null;
  contentType: string | null;
  origin: string | null;
  referer: string | null;
  fetchSite: string | null;
  fetchMode: string | null;
  fetchDest: string | null;
  purpose: string | null;
  requestedWith: string | null;
  upgrade: string | null;
  forwardedFor: string | null;
  requestId: string | null;
  hop: string | null;
  authorization: string | null;
  serviceToken: string | null;
  proxySecret: string | null;
  corsMethod: string | null;
  corsHeaders: string | null;
  webSocketKey: string | null;
  /** Names and values together, in characters. */
  size: number;
};

/** Headers that may repeat are joined as RFC 9110 section 5.3 says (cookies as RFC 9113 section 8.2.3). */
export function readHead(rawHeaders: readonly string[]): HeadFacts {
  const facts: HeadFacts = { ...EMPTY };
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]!;
    const value = rawHeaders[index + 1]!;
    facts.size += name.length + value.length;
    const field = FIELDS.get(name) ?? (name.length <= LONGEST ? FIELDS.get(name.toLowerCase()) : undefined);
    if (field !== undefined) note(facts, field, value);
  }
  return facts;
}

type Field = Exclude<keyof HeadFacts, 'size' | 'hostCount' | 'cookieCount' | 'contentLengthCount'>;

function note(facts: HeadFacts, field: Field, value: string): void {
  if (field === 'host') facts.hostCount++;
  else if (field === 'cookie') facts.cookieCount++;
  else if (field === 'contentLength') facts.contentLengthCount++;
  const former = facts[field];
  facts[field] = former === null ? value : `${former}${field === 'cookie' ? '; ' : ', '}${value}`;
}

const EMPTY: HeadFacts = {
  host: null,
  hostCount: 0,
  cookie: null,
  cookieCount: 0,
  connection: null,
  transferEncoding: null,
  contentLength: null,
  contentLengthCount: 0,
  te: null,
  accept: null,
  contentType: null,
  origin: null,
  referer: null,
  fetchSite: null,
  fetchMode: null,
  fetchDest: null,
  purpose: null,
  requestedWith: null,
  upgrade: null,
  forwardedFor: null,
  requestId: null,
  hop: null,
  authorization: null,
  serviceToken: null,
  proxySecret: null,
  corsMethod: null,
  corsHeaders: null,
  webSocketKey: null,
  size: 0,
};

const NAMES: readonly (readonly [name: string, field: Field])[] = [
  ['Host', 'host'],
  ['Cookie', 'cookie'],
  ['Connection', 'connection'],
  ['Transfer-Encoding', 'transferEncoding'],
  ['Content-Length', 'contentLength'],
  ['TE', 'te'],
  ['Accept', 'accept'],
  ['Content-Type', 'contentType'],
  ['Origin', 'origin'],
  ['Referer', 'referer'],
  ['Sec-Fetch-Site', 'fetchSite'],
  ['Sec-Fetch-Mode', 'fetchMode'],
  ['Sec-Fetch-Dest', 'fetchDest'],
  ['Sec-Purpose', 'purpose'],
  ['Purpose', 'purpose'],
  ['X-Purpose', 'purpose'],
  ['X-Moz', 'purpose'],
  ['X-Requested-With', 'requestedWith'],
  ['Upgrade', 'upgrade'],
  ['X-Forwarded-For', 'forwardedFor'],
  ['X-Request-Id', 'requestId'],
  ['Doorward-Hop', 'hop'],
  ['Authorization', 'authorization'],
  ['Svc-Auth-Token', 'serviceToken'],
  ['Svc-Auth-Secret', 'proxySecret'],
  ['Access-Control-Request-Method', 'corsMethod'],
  ['Access-Control-Request-Headers', 'corsHeaders'],
  ['Sec-WebSocket-Key', 'webSocketKey'],
];
/** Both spellings that clients use, so that most names are found without a new string. */
const FIELDS: ReadonlyMap<string, Field> = new Map(
  NAMES.flatMap(([name, field]) => [
    [name, field],
    [name.toLowerCase(), field],
  ]),
);
const LONGEST = Math.max(...NAMES.map(([name]) => name.length));
