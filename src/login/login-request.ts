// The sealed `request` parameter of `/<provider>/login`: what the gate tells the login about where a visitor wanted to go.

import type { ShareId } from '../domain/id.ts';
import type { Seal } from './seal.ts';

export type LoginRequest = {
  readonly shareId: ShareId;
  readonly providerName: string;
  /** The whole URL on the share, query string included. */
  readonly returnUrl: string;
  /** `shortHash` of the share host's binding cookie; null over plain HTTP. */
  readonly bindingHash: string | null;
  /** "Use another account": the provider is asked for another. */
  readonly selectAccount: boolean;
  /** Milliseconds since the epoch: `intermediate_lifetime` after it was made. */
  readonly expiresAt: number;
};

export function sealLoginRequest(_seal: Seal, _request: LoginRequest): string {
  throw new Error('not here yet');
}

/** Null when it was not sealed here; `expiresAt` is the caller's to check. */
export function openLoginRequest(_seal: Seal, _sealed: string): LoginRequest | null {
  throw new Error('not here yet');
}
