// Rules: who gets in at a share. Conditions in one rule are all needed, values in one list are alternatives
// (DESIGN "Rules"). Globs are those of `text-glob.ts` and `email-pattern.ts`; there are no regular
// expressions.

import type { CertificateRule } from './certificate-rule.ts';

export type AccessRule = { readonly effect: RuleEffect; readonly conditions: RuleConditions };
export type RuleEffect = 'allow' | 'deny';

/** As somebody writes them, each absent where the rule does not ask it. */
export type RuleConditions = {
  readonly providers?: readonly string[];
  /** Email globs. */
  readonly emails?: readonly string[];
  readonly groups?: readonly string[];
  /** Every name is needed; of its globs, any one. */
  readonly claims?: Readonly<Record<string, readonly string[]>>;
  readonly certificate?: CertificateRule;
  /** Globs over the names of service tokens. */
  readonly tokens?: readonly string[];
  /** Ranges that hold the client's address. */
  readonly addresses?: readonly string[];
  /** Ranges none of which holds it. */
  readonly outside?: readonly string[];
  /** See `path-rule.ts`. */
  readonly paths?: readonly string[];
  readonly methods?: readonly string[];
  readonly acr?: readonly string[];
  /** A duration since the person last proved who they are to the provider. */
  readonly max_age?: string;
  /** The last day, in UTC, or a moment: see `rule-end.ts`. */
  readonly until?: string;
  readonly everyone?: true;
};

export type ConditionName = keyof RuleConditions;

/** In the order in which they are judged, explained and written. */
export const CONDITION_NAMES = [
  'everyone',
  'until',
  'methods',
  'paths',
  'addresses',
  'outside',
  'tokens',
  'certificate',
  'providers',
  'emails',
  'groups',
  'claims',
  'acr',
  'max_age',
] as const satisfies readonly ConditionName[];

/** Those that a login answers. */
export const LOGIN_CONDITIONS = ['providers', 'emails', 'groups', 'claims', 'acr', 'max_age'] as const;

/** As it is written in files, in the API and in the database: `{ allow: { … } }` or `{ deny: { … } }`. */
export type AccessRuleDocument = { readonly allow: RuleConditions } | { readonly deny: RuleConditions };

export function ruleDocument({ effect, conditions }: AccessRule): AccessRuleDocument {
  return effect === 'allow' ? { allow: conditions } : { deny: conditions };
}

/** More is a directory, which a provider keeps better. */
export const MAX_RULES = 100;
export const MAX_RULE_VALUES = 100;
/** A share is sent whole to every worker of every gateway. */
export const MAX_RULES_CHARACTERS = 64 * 1024;
/** Of all shares of an account together, short forms among them. */
export const MAX_ACCOUNT_RULES_CHARACTERS = 4 * 1024 * 1024;
