// What the backend is told of the visitor's connection (DESIGN "Stripping"). A client's own word counts only
// when it is a trusted proxy; everybody else's was stripped before. Also who the visitor is for logs.

import { LRUCache } from 'lru-cache';
import { createAddressList } from '../domain/address-list.ts';
import { parseIpAddress } from '../domain/ip-address.ts';
import { atMost } from '../domain/at-most.ts';

export type TrustedProxies = (address: string) => boolean;

/**
 * Addresses and ranges as in `gateway.trusted_proxies`: `10.0.0.0/8`, `::1`. Throws `validation_failed` for
 * anything else.
 */
export function createTrustedProxies(ranges: readonly string[]): TrustedProxies {
  if (ranges.length === 0) return () => false;
  const list = createAddressList(ranges);
  const judged = new LRUCache<string, boolean>(atMost(MAX_JUDGED));
  return (text) => {
    const known = judged.get(text);
    if (known !== undefined) return known;
    const address = parseIpAddress(text);
    const trusted = address !== null && list.matches({ host: null, address, port: null });
    judged.set(text, trusted);
    return trusted;
  };
}

export type Visitor = {
  /** The nearest address that is no trusted proxy. */
  readonly address: string;
  /** What goes into X-Forwarded-For. */
  readonly chain: string;
};

/**
 * Walks X-Forwarded-For from the near end as long as trusted proxies wrote it; what stands further off is the
 * visitor's own word, and is cut away.
 */
export function visitorOf(
  remoteAddress: string,
  forwardedFor: string | null,
  isTrusted: TrustedProxies,
): Visitor {
  const remote = plainAddress(remoteAddress);
  if (forwardedFor === null || !isTrusted(remote)) return { address: remote, chain: remote };
  const hops = forwardedFor.split(',').slice(-MAX_PROXIES);
  let address = remote;
  let chain = remote;
  for (let index = hops.length - 1; index >= 0; index--) {
    const hop = plainAddress(withoutPort(hops[index]!.trim()));
    if (!isAddress(hop)) break;
    address = hop;
    chain = `${hop}, ${chain}`;
    if (!isTrusted(hop)) break;
  }
  return { address, chain };
}

/** Those behind a proxy come again with each of their requests. */
function isAddress(text: string): boolean {
  if (addresses.has(text)) return true;
  if (parseIpAddress(text) === null) return false;
  addresses.set(text, true);
  return true;
}

export type ForwardingFacts = {
  readonly visitor: Visitor;
  readonly scheme: 'http' | 'https';
  readonly port: number;
  /** The Host as the visitor sent it. */
  readonly authority: string;
  readonly requestId: string;
};

/** Appends the gateway's own headers to a stripped list. */
export function appendForwardingHeaders(headers: string[], facts: ForwardingFacts): void {
  headers.push(
    'X-Forwarded-For',
    facts.visitor.chain,
    'X-Forwarded-Proto',
    facts.scheme,
    'X-Forwarded-Host',
    facts.authority,
    'X-Forwarded-Port',
    String(facts.port),
    'X-Real-IP',
    facts.visitor.address,
    'X-Request-Id',
    facts.requestId,
  );
}

/** Some gateways write the port of the connection, too: `198.51.100.7:4711`, `[2001:db8::7]:4711`. */
function withoutPort(hop: string): string {
  if (!hop.includes(':')) return hop;
  const [, v6, v4] = /^(?:\[([^\]]+)\](?::\d+)?|([\d.]+):\d+)$/.exec(hop) ?? [];
  return v6 ?? v4 ?? hop;
}

/** IPv4 out of IPv6 (`::ffff:192.0.2.1`), so that one machine has one name. */
export function plainAddress(address: string): string {
  return address.startsWith('::ffff:') && address.includes('.') ? address.slice(7) : address;
}

/** No sensible path has more proxies of one's own; a longer list is not read to its end. */
const MAX_PROXIES = 16;
/** Addresses read lately, of 45 characters at most. */
const addresses = new LRUCache<string, true>(atMost(10_000));
/** Addresses judged lately; a proxy keeps its own. */
const MAX_JUDGED = 10_000;
