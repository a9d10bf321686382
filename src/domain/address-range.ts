// Ranges of IP addresses, and which of them are special: the outbound rules (DESIGN "Calls out") ask here.
// Sources are the IANA IPv4 and IPv6 Special-Purpose Address Registries (RFC 6890), multicast and cloud
// metadata services.

import { parseIpAddress, type IpAddress } from './ip-address.ts';

export type AddressRange = { readonly version: 4 | 6; readonly value: bigint; readonly prefixLength: number };

/**
 * `10.0.0.0/8`, `fd00::/8`, or one address alone. Null when it is neither, or has bits set after its prefix.
 * Ranges of IPv4 written inside IPv6 are those of IPv4: as such alone are addresses asked about.
 */
export function parseAddressRange(text: string): AddressRange | null {
  const range = readRange(text);
  if (range === null || range.prefixLength < MAPPED.prefixLength || !holds(MAPPED, range)) return range;
  return { ...lowIpv4(range), prefixLength: range.prefixLength - MAPPED.prefixLength };
}

/** As it is written. */
function readRange(text: string): AddressRange | null {
  const [addressText = '', prefixText, ...more] = text.split('/');
  const address = parseIpAddress(addressText);
  if (address === null || more.length > 0) return null;
  const width = widthOf(address);
  if (prefixText === undefined) return { ...address, prefixLength: width };
  if (!/^(?:0|[1-9]\d{0,2})$/.test(prefixText) || Number(prefixText) > width) return null;
  const range = { ...address, prefixLength: Number(prefixText) };
  const rest = BigInt(width - range.prefixLength);
  return (range.value >> rest) << rest === range.value ? range : null;
}

/**
 * Whether the range holds the address. An IPv4 address written inside IPv6 (`::ffff:10.0.0.1`) is the IPv4
 * address.
 */
export function isInRange(address: IpAddress, range: AddressRange): boolean {
  return holds(range, unmapped(address));
}

/**
 * Whether packets to this address may end somewhere else than on the public Internet: private, loopback,
 * link-local, shared, documentation, benchmarking, multicast, reserved, and every transition form that hides
 * such an address.
 */
export function isSpecialPurpose(address: IpAddress): boolean {
  const plain = unmapped(address);
  if (plain.version === 4) return isInAny(plain, SPECIAL_IPV4);
  const translated = holds(NAT64, plain) ? lowIpv4(plain) : null;
  if (translated !== null) return isInAny(translated, SPECIAL_IPV4);
  return !holds(GLOBAL_UNICAST, plain) || isInAny(plain, SPECIAL_IPV6);
}

/** Whether a cloud's metadata or credential service answers here, in whatever form the address hides it. */
export function isMetadataAddress(address: IpAddress): boolean {
  return [address, ...embeddedIpv4(address)].some((candidate) => isInAny(candidate, METADATA));
}

/**
 * The IPv4 addresses inside an IPv6 address: mapped, compatible, translated, NAT64, 6to4, Teredo (server and
 * client).
 */
export function embeddedIpv4(address: IpAddress): readonly IpAddress[] {
  if (address.version === 4) return [];
  if (LOW_FORMS.some((range) => holds(range, address))) return [lowIpv4(address)];
  if (holds(SIX_TO_FOUR, address)) return [ipv4(address.value >> 80n)];
  if (holds(TEREDO, address)) return [ipv4(address.value >> 64n), ipv4(~address.value)];
  if (holds(LOCAL_NAT64, address)) return [lowIpv4(address), localNat64Ipv4(address)];
  return [];
}

/** The IPv4 address for `::ffff:0:0/96`, which sockets treat as one; any other address as it is. */
function unmapped(address: IpAddress): IpAddress {
  return holds(MAPPED, address) ? lowIpv4(address) : address;
}

/** RFC 6052 section 2.2 for a 48-bit prefix: 16 bits, a byte of zeros, 16 bits. */
function localNat64Ipv4(address: IpAddress): IpAddress {
  return ipv4((((address.value >> 64n) & 0xffffn) << 16n) | ((address.value >> 40n) & 0xffffn));
}

function lowIpv4(address: IpAddress): IpAddress {
  return ipv4(address.value);
}

function ipv4(value: bigint): IpAddress {
  return { version: 4, value: BigInt.asUintN(32, value) };
}

function isInAny(address: IpAddress, ranges: readonly AddressRange[]): boolean {
  return ranges.some((range) => holds(range, address));
}

function holds(range: AddressRange, address: IpAddress): boolean {
  const rest = BigInt(widthOf(range) - range.prefixLength);
  return address.version === range.version && address.value >> rest === range.value >> rest;
}

function widthOf(address: { readonly version: 4 | 6 }): number {
  return address.version === 4 ? 32 : 128;
}

function known(...texts: readonly string[]): readonly AddressRange[] {
  return texts.map(knownRange);
}

function knownRange(text: string): AddressRange {
  const range = readRange(text);
  if (range === null) throw new TypeError(`Cannot parse address range: ${text}`);
  return range;
}

const MAPPED = knownRange('::ffff:0:0/96');
const NAT64 = knownRange('64:ff9b::/96');
const LOCAL_NAT64 = knownRange('64:ff9b:1::/48');
const SIX_TO_FOUR = knownRange('2002::/16');
const TEREDO = knownRange('2001::/32');
/** Forms with the IPv4 address in the last 32 bits: compatible, mapped, translated (RFC 2765), NAT64. */
const LOW_FORMS = [...known('::/96', '::ffff:0:0:0/96'), MAPPED, NAT64];
/** All that IANA has opened for global unicast; whatever lies outside is reserved for something else. */
const GLOBAL_UNICAST = knownRange('2000::/3');
const SPECIAL_IPV4 = [
  ...known('0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'),
  ...known('192.0.0.0/24', '192.0.2.0/24', '192.31.196.0/24', '192.52.193.0/24', '192.88.99.0/24'),
  ...known('192.168.0.0/16', '192.175.48.0/24', '198.18.0.0/15', '198.51.100.0/24', '203.0.113.0/24'),
  ...known('224.0.0.0/4', '240.0.0.0/4'),
];
/**
 * Within 2000::/3. The two transition prefixes lead to relays that no longer exist or that somebody else
 * runs.
 */
const SPECIAL_IPV6 = [...known('2001::/23', '2001:db8::/32', '2620:4f:8000::/48', '3fff::/20'), SIX_TO_FOUR];
/** AWS, Google, Azure, Alibaba, Oracle and Scaleway: instance metadata, credentials and their agents. */
const METADATA = [
  ...known(
    '169.254.169.0/24',
    '169.254.170.0/24',
    '169.254.42.42',
    '168.63.129.16',
    '100.100.100.200',
    '192.0.0.192',
  ),
  ...known('fd00:ec2::/32', 'fd20:ce::254', 'fd00:42::42'),
];
