// The answer to "would this address get in, and why" (DESIGN 2.4 `share test`).

export type ShareTest = {
  /** The share's name. */
  readonly share: string;
  readonly email: string;
  readonly allowed: boolean;
  /** A stable code. */
  readonly reason:
    | 'no_login'
    | 'certificate_alone'
    | 'any_address'
    | 'pattern_matches'
    | 'share_disabled'
    | 'provider_unusable'
    | 'email_unusable'
    | 'provider_pattern_needed'
    | 'pattern_needed'
    | 'rule_needed';
  /** The reason in words. */
  readonly detail: string;
  /** What people log in with; null without a login. */
  readonly provider: string | null;
  /**
   * The share's pattern that matches, and that of the provider's definition; null when none does, or none is
   * needed.
   */
  readonly pattern: string | null;
  readonly providerPattern: string | null;
  /** Whether a client certificate is not asked for, or needed as well, or enough without the login. */
  readonly certificate: 'none' | 'needed' | 'enough';
  /**
   * Whether the provider must say that the address is verified. If it says that it is not, nobody gets in.
   */
  readonly needsVerifiedEmail: boolean;
};
