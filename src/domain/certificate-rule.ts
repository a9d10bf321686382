// Which client certificates a rule asks for.

/** Globs of `compileTextGlob()`. Both must match; null: anything, or nothing. */
export type CertificateRule = {
  /** Over the common name. */
  readonly subject: string | null;
  /** Over the organizational unit; a certificate without one matches no glob. */
  readonly unit: string | null;
};
