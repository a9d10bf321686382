// What the service asks of certificates that come by themselves.

import type { AlpnAnswer } from './alpn-answer.ts';

export type PublicCertificates = {
  /** Reads what the store holds, and has it served where that changed. */
  readonly refresh: () => Promise<void>;
  /** Resolves once that host has a certificate at every worker, or is not to have one now. */
  readonly awaited: (host: string) => Promise<void>;
  /** What answers a TLS-ALPN-01 challenge. */
  readonly alpn: (host: string) => Promise<AlpnAnswer | null>;
  /** What answers an HTTP-01 challenge. */
  readonly http: (host: string, token: string) => Promise<string | null>;
  /** The https origin of a host of ours. */
  readonly originOf: (host: string) => string | null;
  readonly start: () => Promise<void>;
  readonly stop: () => Promise<void>;
};
