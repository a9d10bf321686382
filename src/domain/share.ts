// A share: a published address and the backend it reaches, as the gate needs it (plain data, structured-cloneable).

import type { CertificateRule } from './client-certificate.ts';
import type { AccountId, ShareId } from './id.ts';
import type { ProviderRef } from './provider-ref.ts';
import type { ShareAccess } from './share-access.ts';

export type Share = {
  readonly id: ShareId;
  readonly accountId: AccountId;
  readonly name: string;
  /** Host names it answers at, lower case, without port. The first is the main one. */
  readonly hosts: readonly string[];
  /** The backend: `http://127.0.0.1:3000`, `https://…`; scheme, host and port only. Null when agents serve it, through tunnels. */
  readonly target: string | null;
  readonly enabled: boolean;
  /** Null when anybody may come in. */
  readonly login: ShareLogin | null;
  /** Null when no client certificate is asked for. */
  readonly clientCertificate: CertificateRule | null;
  /** Where there is a login and a client certificate: whether both are needed, or either is enough. */
  readonly access: ShareAccess;
  /** Origins (`https://app.example.com`) whose pages may use the visitor's session here. */
  readonly allowOrigins: readonly string[];
};

export type ShareLogin = {
  /** As the share names it (contract 2.3 `--oauth-provider`). */
  readonly providerName: string;
  /** Null when that provider does not exist or is not for this account: the gate fails closed. */
  readonly provider: ProviderRef | null;
  /** Email globs, any one of which must match; none means any address (contract 2.3, 3). */
  readonly emailPatterns: readonly string[];
  readonly checkIntervalMs: number;
};

/** Contract 2.3: the default of `--oauth-check-interval`. */
export const DEFAULT_CHECK_INTERVAL_MS = 3 * 60 * 60 * 1000;
