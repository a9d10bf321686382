// Lists of addresses that an operator writes: `direct_targets`, `trusted_proxies` (DESIGN 2.1). An entry is
// an address, a range or a host name, each with an optional port.

import { isInRange, parseAddressRange, type AddressRange } from './address-range.ts';
import { readHost, type IpAddress } from './ip-address.ts';
import { ServiceError } from './service-error.ts';

export type AddressEntry =
  | { readonly kind: 'range'; readonly range: AddressRange; readonly port: number | null }
  | { readonly kind: 'name'; readonly name: string; readonly port: number | null };

/**
 * One thing that might be listed. `host` is as the target was written; `address` is what it stands for, once
 * known.
 */
export type AddressCandidate = {
  readonly host: string | null;
  readonly address: IpAddress | null;
  readonly port: number | null;
};

export type AddressList = { readonly matches: (candidate: AddressCandidate) => boolean };

/**
 * A list that matches a candidate when one entry does: a range by the address, a name by the host as written
 * (so the addresses of a listed name are the operator's choice), and the port where the entry has one. Throws
 * `validation_failed` for a malformed entry.
 */
export function createAddressList(entries: readonly string[]): AddressList {
  const parsed = entries.map(parseAddressEntry);
  return { matches: (candidate) => parsed.some((entry) => matchesEntry(entry, candidate)) };
}

/**
 * `10.0.0.0/8`, `::1`, `127.0.0.1:3000`, `[::1]:3000`, `localhost`, `localhost:5173`. Throws
 * `validation_failed`.
 */
export function parseAddressEntry(text: string): AddressEntry {
  const { host, portText } = splitPort(text);
  const port = portText === null ? null : parsePort(portText);
  if (port === undefined) throw refusal(text, 'its port is not between 1 and 65535');
  const range = parseAddressRange(host);
  if (range !== null) return { kind: 'range', range, port };
  if (host.includes('/')) throw refusal(text, 'it is not a range, or has bits set after its prefix');
  const reading = readHost(host);
  if (reading.kind !== 'name')
    throw refusal(text, 'it is neither an address in plain notation nor a host name');
  return { kind: 'name', name: reading.name, port };
}

/** A port between 1 and 65535 in plain decimal; undefined for anything else. */
export function parsePort(text: string): number | undefined {
  return /^[1-9]\d{0,4}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined;
}

function splitPort(text: string): { readonly host: string; readonly portText: string | null } {
  const bracketed = /^\[([^\]]+)\](?::(.*))?$/.exec(text);
  if (bracketed !== null) return { host: bracketed[1] ?? '', portText: bracketed[2] ?? null };
  const colon = text.indexOf(':');
  if (colon < 0 || text.includes(':', colon + 1)) return { host: text, portText: null };
  return { host: text.slice(0, colon), portText: text.slice(colon + 1) };
}

function matchesEntry(entry: AddressEntry, candidate: AddressCandidate): boolean {
  if (entry.port !== null && entry.port !== candidate.port) return false;
  if (entry.kind === 'range') return candidate.address !== null && isInRange(candidate.address, entry.range);
  const reading = candidate.host === null ? null : readHost(candidate.host);
  return reading?.kind === 'name' && reading.name === entry.name;
}

function refusal(text: string, found: string): ServiceError {
  return new ServiceError(
    'validation_failed',
    `Cannot parse address entry: "${text.slice(0, 100)}": ${found}`,
    {
      hint: 'Write an address, a range or a host name with an optional port: 10.0.0.0/8, [::1]:3000, localhost:5173.',
    },
  );
}
