// A login of the command line that waits for a member to confirm it (RFC 8628). Times are RFC 3339.

import type { KeyScope, Role } from '../domain/role.ts';

/** `BCDF-GHJK`, as the device shows it; whatever its case and dashes. */
export type UserCodeInput = { readonly userCode: string };

export type DeviceLoginObject = {
  /** What the device calls itself. */
  readonly device: string;
  /** Where it asked from, and whether that is the network of whoever looks. */
  readonly ip: string;
  readonly isSameNetwork: boolean;
  /** What its API key will be. */
  readonly role: Role;
  readonly scope: KeyScope;
  readonly keyExpiresAfter: string;
  readonly createdAt: string;
  readonly expiresAt: string;
};

export type DeviceDecisionInput = UserCodeInput & { readonly allow: boolean };
