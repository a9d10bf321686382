// Logins by device (RFC 8628), as the rooms above see them. Neither code is kept: only their SHA-256 is.

import type { AccountId, DeviceLoginId, MemberId } from '../../domain/id.ts';
import type { KeyScope } from '../../domain/role.ts';

export type DeviceLogin = {
  readonly id: DeviceLoginId;
  /** What the device calls itself: somebody else's words. */
  readonly name: string;
  readonly scope: KeyScope;
  /** Where it was asked from, and the network that this counts to. */
  readonly ip: string;
  readonly network: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Null while nobody decided. */
  readonly decision: DeviceDecision | null;
};

export type DeviceDecision = {
  readonly kind: 'allowed' | 'denied';
  readonly accountId: AccountId;
  readonly memberId: MemberId;
  /** SHA-256 of the token of the session that decided: what it allowed is nobody's when that is over. */
  readonly sessionHash: string;
};

export type NewDeviceLogin = Omit<DeviceLogin, 'decision'> & {
  /** SHA-256, hex. */
  readonly deviceHash: string;
  readonly userHash: string;
};

/**
 * How many may wait to be decided at once: of one subscriber, of the network around it (`addressBlock()`), of
 * everybody.
 */
export type DeviceLoginLimits = { readonly network: number; readonly block: number; readonly all: number };

export interface DeviceLoginTable {
  /**
   * Whether it waits now: `taken` when another has one of its codes, `full` when too many wait. Where all
   * places are taken, one that came last to the network with the most gives way to a network with fewer.
   */
  begin(login: NewDeviceLogin, most: DeviceLoginLimits): Promise<'begun' | 'taken' | 'full'>;
  /** One that is not over and waits to be decided; null when there is none. */
  findWaiting(userHash: string, now: number): Promise<DeviceLogin | null>;
  /** Decides it, once; null when there is none that waits. */
  decide(userHash: string, decision: DeviceDecision, now: number): Promise<DeviceLogin | null>;
  /** One that is over, too, while it is kept. */
  find(deviceHash: string): Promise<DeviceLogin | null>;
  /**
   * One that was allowed by a session that is not over, which it uses up: of two that ask at once, one gets
   * it.
   */
  take(deviceHash: string, now: number): Promise<DeviceLogin | null>;
}
