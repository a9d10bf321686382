// Which address a call out may dial (DESIGN "Calls out"): resolves a host once, judges every address that it
// stands for, and answers exactly those, to be dialled without asking a resolver again. Used for shares'
// direct targets too.

import * as dns from 'node:dns/promises';
import { networkInterfaces } from 'node:os';
import { inTime } from '../domain/in-time.ts';
import type { AddressList } from '../domain/address-list.ts';
import { embeddedIpv4, isMetadataAddress, isSpecialPurpose } from '../domain/address-range.ts';
import { isLoopbackName } from '../domain/host-name.ts';
import { formatIpAddress, parseIpAddress, readHost } from '../domain/ip-address.ts';
import type { IpAddress } from '../domain/ip-address.ts';
import { ServiceError } from '../domain/service-error.ts';
import type { FaultCode } from '../domain/service-error.ts';

export type DialTarget = { readonly host: string; readonly port: number };

/** What to dial: `address` first; `others` are further addresses of the same name, judged as well. */
export type DialAddress = {
  readonly address: string;
  readonly family: 4 | 6;
  readonly port: number;
  readonly others: readonly { readonly address: string; readonly family: 4 | 6 }[];
};

export type DialRules = {
  /**
   * `operator` for what the operator's own configuration names: any address. A list for what accounts name:
   * public addresses, and those special-purpose ones that it matches; never metadata services or own
   * listeners.
   */
  readonly allow: 'operator' | AddressList;
  /** The service's own listeners, as bound; `0.0.0.0` and `::` stand for every address of this machine. */
  readonly ownListeners: readonly DialTarget[];
  /** The fault for a target that must not be dialled, and for a name that does not resolve. */
  readonly refused: FaultCode;
  readonly unresolved: FaultCode;
  /** How names are resolved; the operating system's way unless said. Called once for each check. */
  readonly lookup?: Lookup;
};

export type Lookup = (name: string) => Promise<readonly { readonly address: string }[]>;

/**
 * The address to dial for a host (a name, or an address in any notation, with or without brackets) and port.
 * Throws `rules.refused` when any address of it is forbidden, `rules.unresolved` when there is none within 5
 * s.
 */
export async function checkTarget(target: DialTarget, rules: DialRules): Promise<DialAddress> {
  const addresses = permitted(await resolve(target.host, rules), target, rules);
  const [first, ...others] = addresses
    .toSorted((a, b) => a.version - b.version)
    .map((address) => ({ address: formatIpAddress(address), family: address.version }));
  if (first === undefined)
    throw new ServiceError(rules.unresolved, `Cannot resolve ${shown(target)}: it has no address`);
  return { ...first, port: target.port, others };
}

/** A `lookup` for `net.connect` and `http.request` that answers what was checked and asks nobody. */
export function pinnedLookup(dial: DialAddress): PinnedLookup {
  const all = [{ address: dial.address, family: dial.family }, ...dial.others];
  return (_host, options, done) => {
    if (options.all === true) done(null, all);
    else done(null, dial.address, dial.family);
  };
}

export type PinnedLookup = (
  host: string,
  options: { readonly all?: boolean | undefined },
  done: (
    error: null,
    address: string | { readonly address: string; readonly family: number }[],
    family?: number,
  ) => void,
) => void;

/**
 * All addresses, when all may be dialled. Of this machine's own names the addresses that may be, when one
 * may.
 */
function permitted(
  addresses: readonly IpAddress[],
  target: DialTarget,
  rules: DialRules,
): readonly IpAddress[] {
  if (rules.allow === 'operator') return addresses;
  const judged = addresses.map((address) => ({ address, reason: forbiddenBecause(address, target, rules) }));
  const good = judged.filter(({ reason }) => reason === null).map(({ address }) => address);
  if (good.length === addresses.length || (addresses === LOOPBACK && good.length > 0)) return good;
  const reason = judged.find((each) => each.reason !== null)?.reason ?? 'it is not allowed';
  throw new ServiceError(rules.refused, `Cannot dial ${shown(target)}: ${reason}`, {
    hint: 'The operator can allow an address: direct_targets for backends, outbound_allow for providers and webhooks.',
  });
}

async function resolve(host: string, rules: DialRules): Promise<readonly IpAddress[]> {
  const reading = readHost(host);
  if (reading.kind === 'malformed')
    throw new ServiceError(rules.refused, `Cannot dial ${shown({ host })}: it is not a host`);
  if (reading.kind === 'address') return [reading.address];
  if (isLoopbackName(reading.name)) return LOOPBACK;
  const found = await askResolver(reading.name, rules);
  return found.slice(0, MAX_ADDRESSES).map(({ address }) => {
    const parsed = parseIpAddress(address);
    if (parsed !== null) return parsed;
    throw new ServiceError(rules.refused, `Cannot dial ${shown({ host })}: its address has a zone`);
  });
}

async function askResolver(name: string, rules: DialRules): Promise<readonly { readonly address: string }[]> {
  try {
    return await inTime((rules.lookup ?? askSystem)(name), RESOLVE_LIMIT_MS, () => {
      throw new Error('the resolver took too long');
    });
  } catch (cause) {
    throw new ServiceError(rules.unresolved, `Cannot resolve ${shown({ host: name })}`, { cause });
  }
}

/** The operating system's way. It answers few at once in the whole process. */
export function askSystem(name: string): Promise<readonly { readonly address: string }[]> {
  return dns.lookup(name, { all: true, order: 'ipv4first' });
}

/** Why an account may not have this dialled; null when it may. */
function forbiddenBecause(address: IpAddress, target: DialTarget, rules: DialRules): string | null {
  const { host, port } = target;
  if (isMetadataAddress(address)) return 'it is a metadata address';
  if (rules.ownListeners.some((own) => reaches({ address, port }, own)))
    return 'the service itself listens there';
  const listed = rules.allow !== 'operator' && rules.allow.matches({ host, address, port });
  return isSpecialPurpose(address) && !listed ? 'it is not a public address' : null;
}

/** Whether a connection to `address` may end at the listener `own`. */
function reaches(
  { address, port }: { readonly address: IpAddress; readonly port: number },
  own: DialTarget,
): boolean {
  if (own.port !== port) return false;
  const bound = readHost(own.host);
  const forms = [address, ...embeddedIpv4(address)];
  if (bound.kind !== 'address') return isLoopbackName(own.host) && forms.some(isOfThisMachine);
  if (forms.some(isUnspecified) || isUnspecified(bound.address)) return forms.some(isOfThisMachine);
  return forms.some((form) => formatIpAddress(form) === formatIpAddress(bound.address));
}

function isOfThisMachine(address: IpAddress): boolean {
  const text = formatIpAddress(address);
  if (isUnspecified(address) || isLoopbackName(text)) return true;
  return Object.values(networkInterfaces()).some((entries) =>
    entries?.some((entry) => entry.address === text),
  );
}

function isUnspecified(address: IpAddress): boolean {
  return address.value === 0n;
}

function shown({ host, port }: { readonly host: string; readonly port?: number }): string {
  return `"${host.slice(0, 100)}"${port === undefined ? '' : ` port ${port}`}`;
}

/** RFC 6761 section 6.3: names below `localhost` are this machine, whatever a resolver would say. */
const LOOPBACK: readonly IpAddress[] = [
  { version: 4, value: 0x7f00_0001n },
  { version: 6, value: 1n },
];
/** A resolver that needs longer is as good as away; the operating system's own limit is up to 30 s. */
export const RESOLVE_LIMIT_MS = 5000;
/** Large services answer with fewer; more would only lengthen the tries of a connection. */
const MAX_ADDRESSES = 16;
