// What gateways care about, as it is told to them: one number for each change, in the order of commits.

import type {
  AccountCaId,
  AcmeNameId,
  ApiKeyId,
  CertificateId,
  MemberId,
  ProviderDefinitionId,
  RevokedSerialId,
  ServiceTokenId,
  SessionId,
  ShareId,
} from '../domain/id.ts';

export type Change =
  | { readonly kind: 'share'; readonly id: ShareId }
  | { readonly kind: 'provider'; readonly id: ProviderDefinitionId }
  | { readonly kind: 'session'; readonly id: SessionId }
  /** A member was removed, or is an auditor, who serves nothing. */
  | { readonly kind: 'member'; readonly id: MemberId }
  /** An API key went, or may do something else. */
  | { readonly kind: 'api-key'; readonly id: ApiKeyId }
  /** A service token came, or went. */
  | { readonly kind: 'service-token'; readonly id: ServiceTokenId }
  /** An authority came, or issues nothing more. */
  | { readonly kind: 'ca'; readonly id: AccountCaId }
  /** It was revoked. */
  | { readonly kind: 'certificate'; readonly id: CertificateId | RevokedSerialId }
  /** A certificate of our own came, or went. */
  | { readonly kind: 'public-certificate'; readonly id: AcmeNameId };

export interface ChangeFeed {
  /** The number of the last committed change. */
  latest(): Promise<number>;
  /**
   * Changes after `number`, in commit order. With `gap`, they are not all kept (or too many): read everything
   * again, sessions included, and go on from `upTo`.
   */
  since(
    number: number,
  ): Promise<{ readonly upTo: number; readonly changes: readonly Change[]; readonly gap: boolean }>;
  /**
   * Called after a commit in this process, so that nobody needs to wait for the next poll. Returns how to
   * stop.
   */
  onCommit(listener: () => void): () => void;
}
