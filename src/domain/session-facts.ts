// What a provider said of a person at the login or the last check, beside who they are. It is kept with the
// session's state, never in the cookie, so that a session holds what is true now.

export type SessionFacts = {
  /**
   * Null: the provider cannot tell. For what lets in that is none; for what refuses it may be any.
   */
  readonly groups: readonly string[] | null;
  /** Those that the provider's definition lists, each with its values as text. */
  readonly claims: Readonly<Record<string, readonly string[]>>;
  /** OpenID Connect Core 2: which class of authentication the login reached. */
  readonly acr: string | null;
  /** OpenID Connect Core 2: by which means, `pwd`, `otp` and the like. */
  readonly amr: readonly string[];
  /** When the person last proved who they are to the provider, in milliseconds since the epoch. */
  readonly authTime: number | null;
  /** The display name. */
  readonly name: string | null;
};

/** The provider said nothing of all this. */
export const NO_FACTS: SessionFacts = {
  groups: null,
  claims: {},
  acr: null,
  amr: [],
  authTime: null,
  name: null,
};
