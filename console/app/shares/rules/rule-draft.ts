// The rules of a share as a form holds them, and as files and the API write them. What is read and not
// changed is written as it was.

import {
  type AccessRuleDocument,
  CONDITION_NAMES,
  type ConditionName,
  type RuleConditions,
  type RuleEffect,
} from '../../../../src/domain/access-rule.ts';
import { conditionsOf } from '../../../../src/domain/named-providers.ts';
import { linesOf } from '../lines-of.ts';

export type RulesDraft = {
  readonly rules: readonly RuleDraft[];
  /** Whether the text that somebody is writing instead of them cannot be read yet. */
  readonly isUnread: boolean;
};

export type RuleDraft = {
  /** Of this rule for as long as the form is open, wherever it stands. */
  readonly key: number;
  readonly effect: RuleEffect;
  readonly conditions: readonly ConditionDraft[];
};

export type ListName = (typeof LISTS)[number];

export type ConditionDraft =
  | { readonly name: 'everyone' }
  | ({ readonly name: ListName } & ListDraft)
  | { readonly name: 'claims'; readonly claims: readonly ClaimDraft[] }
  | { readonly name: 'certificate'; readonly subject: string; readonly unit: string }
  | { readonly name: 'until' | 'max_age'; readonly text: string };

/** One value a line. */
export type ListDraft = { readonly lines: string; readonly read?: readonly string[] };
export type ClaimDraft = ListDraft & { readonly claim: string };

export function draftOfRules(rules: readonly AccessRuleDocument[]): RulesDraft {
  return { rules: rules.map(draftOfRule), isUnread: false };
}

export function rulesOfDraft({ rules }: RulesDraft): readonly AccessRuleDocument[] {
  return rules.map(documentOf);
}

/** Conditions in the order in which the service keeps them. */
export function documentOf({ effect, conditions }: RuleDraft): AccessRuleDocument {
  const written = CONDITION_NAMES.flatMap((name) => {
    const found = conditions.find((each) => each.name === name);
    return found === undefined ? [] : [[name, valueOf(found)]];
  });
  const document = Object.fromEntries(written) as RuleConditions;
  return effect === 'allow' ? { allow: document } : { deny: document };
}

export function newRule(effect: RuleEffect, conditions: readonly ConditionDraft[]): RuleDraft {
  return { key: ++keys, effect, conditions };
}

export function newCondition(name: ConditionName): ConditionDraft {
  switch (name) {
    case 'everyone':
      return { name };
    case 'claims':
      return { name, claims: [{ claim: '', lines: '' }] };
    case 'certificate':
      return { name, subject: '', unit: '' };
    case 'until':
    case 'max_age':
      return { name, text: '' };
    default:
      return { name, lines: '' };
  }
}

/** The values of a list: what was read, unless somebody changed it. */
export function valuesOf({ lines, read }: ListDraft): readonly string[] {
  return read !== undefined && read.join('\n') === lines ? read : linesOf(lines);
}

function draftOfRule(rule: AccessRuleDocument): RuleDraft {
  const conditions = conditionsOf(rule);
  const drafts = CONDITION_NAMES.flatMap((name) =>
    conditions[name] === undefined ? [] : [draftOfCondition(name, conditions)],
  );
  return newRule('allow' in rule ? 'allow' : 'deny', drafts);
}

function draftOfCondition(name: ConditionName, conditions: RuleConditions): ConditionDraft {
  switch (name) {
    case 'everyone':
      return { name };
    case 'claims':
      return {
        name,
        claims: Object.entries(conditions.claims ?? {}).map(([claim, read]) => ({
          claim,
          lines: read.join('\n'),
          read,
        })),
      };
    case 'certificate':
      return {
        name,
        subject: conditions.certificate?.subject ?? '',
        unit: conditions.certificate?.unit ?? '',
      };
    case 'until':
    case 'max_age':
      return { name, text: conditions[name] ?? '' };
    default:
      return { name, ...listOf(conditions[name] ?? []) };
  }
}

function listOf(read: readonly string[]): ListDraft {
  return { lines: read.join('\n'), read };
}

function valueOf(draft: ConditionDraft): unknown {
  switch (draft.name) {
    case 'everyone':
      return true;
    case 'claims':
      return Object.fromEntries(draft.claims.map((each) => [each.claim.trim(), valuesOf(each)]));
    case 'certificate':
      return { subject: draft.subject.trim() || null, unit: draft.unit.trim() || null };
    case 'until':
    case 'max_age':
      return draft.text.trim();
    default:
      return valuesOf(draft);
  }
}

const LISTS = [
  'providers',
  'emails',
  'groups',
  'tokens',
  'addresses',
  'outside',
  'paths',
  'methods',
  'acr',
] as const satisfies readonly ConditionName[];
let keys = 0;
