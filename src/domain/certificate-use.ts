// That a certificate let its holder in: when, where, from where.

export type CertificateUse = {
  /** SHA-256 of the whole certificate, lower-case hex. */
  readonly fingerprint: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** The name of the share, or `control`. */
  readonly on: string;
  /** The visitor's address. */
  readonly from: string | null;
};
