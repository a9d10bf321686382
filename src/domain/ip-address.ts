// IP addresses as values: parsed strictly where people write them, and in every notation that a resolver or a
// URL parser would take where an attacker writes them (RFC 4291, RFC 5952, inet_aton, WHATWG URL "host
// parsing").

export type IpAddress = { readonly version: 4 | 6; readonly value: bigint };

/**
 * An address in its plain notation: four decimal numbers without leading zeros, or RFC 4291 without brackets
 * or zone.
 */
export function parseIpAddress(text: string): IpAddress | null {
  if (text.length > MAX_ADDRESS_LENGTH) return null;
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text);
}

/**
 * What the host part of a URL is to a resolver. `malformed` hosts must not be dialled: readers disagree about
 * them.
 */
export type HostReading =
  | { readonly kind: 'address'; readonly address: IpAddress }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'malformed' };

/**
 * Reads a host as written in a URL, with or without brackets: decimal, octal, hexadecimal and short IPv4
 * forms (`2130706433`, `0177.1`, `0x7f.0.0.1`) are addresses, as resolvers take them; a zone (`fe80::1%eth0`)
 * is malformed. A name comes back in lower case without its trailing dot.
 */
export function readHost(text: string): HostReading {
  if (text.length > MAX_NAME_LENGTH + 1) return MALFORMED;
  const bracketed = /^\[(.*)\]$/.exec(text)?.[1];
  if (bracketed !== undefined || text.includes(':')) return readAddress(parseIpv6(bracketed ?? text));
  const name = text.toLowerCase().replace(/\.$/, '');
  if (!HOST_NAME.test(name) || name.length > MAX_NAME_LENGTH) return MALFORMED;
  const endsInNumber = /(?:^|\.)(?:\d+|0x[0-9a-f]*)$/.test(name);
  return endsInNumber ? readAddress(parseLooseIpv4(name)) : { kind: 'name', name };
}

/** `127.0.0.1`, or RFC 5952 for IPv6: lower case, the longest run of zeros as `::`, without brackets. */
export function formatIpAddress(address: IpAddress): string {
  if (address.version === 4) return partsOf(address.value, 4, 8n).join('.');
  const groups = partsOf(address.value, 8, 16n).map((group) => group.toString(16));
  const run = longestZeroRun(groups);
  if (run.length < 2) return groups.join(':');
  return `${groups.slice(0, run.start).join(':')}::${groups.slice(run.start + run.length).join(':')}`;
}

function parseIpv4(text: string): IpAddress | null {
  const parts = text.split('.');
  if (parts.length !== 4) return null;
  if (!parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return null;
  return { version: 4, value: joinParts(parts.map(Number), 8n) };
}

/** inet_aton: one to four numbers, the last of which fills all bytes that remain. */
function parseLooseIpv4(text: string): IpAddress | null {
  const numbers = text.split('.').map(looseNumber);
  const last = numbers.pop();
  if (last === undefined || last === null || numbers.length > 3) return null;
  if (!numbers.every((number) => number !== null && number <= 255n)) return null;
  const lastBits = BigInt(8 * (4 - numbers.length));
  if (last >> lastBits !== 0n) return null;
  return { version: 4, value: (joinParts(numbers.map(Number), 8n) << lastBits) | last };
}

function looseNumber(text: string): bigint | null {
  if (/^0x[0-9a-f]*$/.test(text)) return text === '0x' ? 0n : BigInt(text);
  if (/^0[0-7]+$/.test(text)) return BigInt(`0o${text}`);
  return /^(?:0|[1-9]\d*)$/.test(text) ? BigInt(text) : null;
}

function parseIpv6(text: string): IpAddress | null {
  const halves = text.split('::');
  if (halves.length > 2) return null;
  const head = parseGroups(halves[0] ?? '', halves.length === 1);
  const tail = parseGroups(halves[1] ?? '', true);
  if (head === null || tail === null) return null;
  const missing = 8 - head.length - tail.length;
  if (halves.length === 1 ? missing !== 0 : missing < 1) return null;
  return { version: 6, value: joinParts([...head, ...Array<number>(missing).fill(0), ...tail], 16n) };
}

/** Groups of up to four hexadecimal digits; at the end of an address the last two may be written as IPv4. */
function parseGroups(text: string, atEnd: boolean): readonly number[] | null {
  if (text === '') return [];
  const parts = text.split(':');
  const embedded = atEnd && text.includes('.') ? parseIpv4(parts.pop() ?? '') : undefined;
  if (embedded === null || parts.length > 8 || !parts.every((part) => /^[0-9a-f]{1,4}$/i.test(part)))
    return null;
  const groups = parts.map((part) => Number.parseInt(part, 16));
  return embedded === undefined
    ? groups
    : [...groups, Number(embedded.value >> 16n), Number(embedded.value & 0xffffn)];
}

function joinParts(parts: readonly number[], bits: bigint): bigint {
  return parts.reduce((value, part) => (value << bits) | BigInt(part), 0n);
}

function partsOf(value: bigint, count: number, bits: bigint): readonly number[] {
  const mask = (1n << bits) - 1n;
  return Array.from({ length: count }, (_, index) =>
    Number((value >> (bits * BigInt(count - 1 - index))) & mask),
  );
}

function longestZeroRun(groups: readonly string[]): { readonly start: number; readonly length: number } {
  let longest = { start: 0, length: 0 };
  for (let start = 0; start < groups.length; start++) {
    let end = start;
    while (groups[end] === '0') end++;
    if (end - start > longest.length) longest = { start, length: end - start };
  }
  return longest;
}

function readAddress(address: IpAddress | null): HostReading {
  return address === null ? MALFORMED : { kind: 'address', address };
}

const MALFORMED = { kind: 'malformed' } as const;
/**
 * Labels of letters, digits, hyphens and underscores (which some private names have), 63 characters each at
 * most.
 */
const HOST_NAME = /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/;
/** RFC 1035 section 2.3.4, as text without the trailing dot. */
const MAX_NAME_LENGTH = 253;
/** The longest IPv6 notation, with an IPv4 tail. */
const MAX_ADDRESS_LENGTH = 45;
