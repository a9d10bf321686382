// Whose a control connection is, and what it was admitted on.

import type { HeldCertificate } from '../domain/client-certificate.ts';
import type { ApiKeyId, MemberId, ShareId } from '../domain/id.ts';

export type AgentConnection = {
  readonly shareId: ShareId;
  readonly agentId: string;
  /** The API key that it came with, or whoever allowed its certificate. */
  readonly keyId: ApiKeyId | MemberId;
  /** Null for an agent without a key. */
  readonly keyHash: string | null;
  readonly certificate: HeldCertificate | null;
  /** Null for one that does not expire. */
  readonly keyExpiresAt: number | null;
};
