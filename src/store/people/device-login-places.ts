// Who has a place among the logins by device that wait to be decided, when more want one than there are:
// anybody may begin one.

import { addressBlock } from '../../domain/address-site.ts';
import type { DeviceLoginId } from '../../domain/id.ts';
import type { DeviceLoginLimits } from './device-login.ts';

type Waiting = { readonly id: string; readonly network: string; readonly ip: string };

/** `displaces`: the one that gives way; null where there is room. */
export type DeviceLoginPlace =
  | { readonly kind: 'free'; readonly displaces: DeviceLoginId | null }
  | { readonly kind: 'full' };

/** `waiting`: all that are not decided, the newest last. */
export function placeFor(
  { network, ip }: Omit<Waiting, 'id'>,
  waiting: readonly Waiting[],
  most: DeviceLoginLimits,
): DeviceLoginPlace {
  if (waiting.filter((each) => each.network === network).length >= most.network) return FULL;
  const blocks = Map.groupBy(waiting, (each) => addressBlock(each.ip));
  const own = blocks.get(addressBlock(ip))?.length ?? 0;
  if (own >= most.block) return FULL;
  if (waiting.length < most.all) return { kind: 'free', displaces: null };
  // Not for one more: two networks with as many would displace each other for ever.
  const largest = [...blocks.values()].reduce((one, other) => (other.length > one.length ? other : one), []);
  const last = largest.length > own + 1 ? largest.at(-1) : undefined;
  return last === undefined ? FULL : { kind: 'free', displaces: last.id as DeviceLoginId };
}

const FULL = { kind: 'full' } as const;
