// The question "who gets in, and why" and its answer (DESIGN 2.4 `share test`).

import type { SaidSettings } from '../domain/share-values.ts';

/** What is said of a visitor. What is left out is not known, which is not the same as "no". */
export type ShareTestFacts = {
  readonly email?: string | undefined;
  readonly provider?: string | undefined;
  readonly groups?: readonly string[] | undefined;
  readonly claims?: Readonly<Record<string, readonly string[]>> | undefined;
  readonly acr?: string | undefined;
  readonly address?: string | undefined;
  /** What is in a good one of the account; null: none comes. */
  readonly certificate?:
    | { readonly subject?: string | undefined; readonly unit?: string | undefined }
    | null
    | undefined;
  /** The name of a service token that is good here; null: none comes. */
  readonly token?: string | null | undefined;
  readonly path?: string | undefined;
  readonly method?: string | undefined;
  /** RFC 3339; now when it is left out. */
  readonly at?: string | undefined;
};

/** `settings`: not stored, and judged as if the share were changed by them. */
export type ShareTestInput = ShareTestFacts & { readonly settings?: SaidSettings | undefined };

export type ShareTest = {
  /** The share's name. */
  readonly share: string;
  readonly email: string | null;
  /** Whether somebody of whom that is said gets in, whatever else is true of them. */
  readonly allowed: boolean;
  /** `depends`: on what is not said. */
  readonly outcome: 'allowed' | 'depends' | 'refused';
  /** A stable code. */
  readonly reason:
    | 'no_login'
    | 'certificate_alone'
    | 'any_address'
    | 'pattern_matches'
    | 'rule_allows'
    | 'more_needed'
    | 'share_disabled'
    | 'ambiguous_path'
    | 'provider_unusable'
    | 'email_unusable'
    | 'provider_pattern_needed'
    | 'pattern_needed'
    | 'rule_denies'
    | 'rule_needed';
  /** The reason in words. */
  readonly detail: string;
  /** The rule that lets in, could, or keeps out; null for none in particular. */
  readonly rule: string | null;
  /** All, in the order in which they are read. */
  readonly rules: readonly ShareTestRule[];
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

export type ShareTestRule = {
  /** Its number among the share's own rules, from 1, or the setting that it comes from: `login`. */
  readonly rule: string;
  readonly effect: 'allow' | 'deny';
  readonly held: 'held' | 'failed' | 'unknown';
  readonly conditions: readonly {
    readonly name: string;
    /** `groups eng-*, ops`. */
    readonly text: string;
    readonly held: 'held' | 'failed' | 'unknown';
  }[];
};
