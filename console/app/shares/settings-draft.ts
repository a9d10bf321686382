// The settings of a share as a form holds them, and as the API takes them.

import type { ShareChanges, ShareObject } from '../../../src/wire/share.ts';
import type { AccessRuleDocument } from '../../../src/domain/access-rule.ts';
import { type LoginProviders, loginProviders, providerNames } from '../../../src/domain/named-providers.ts';
import { isOpenToEveryone } from '../../../src/domain/open-share.ts';
import type { Setting, SettingsSection } from '../../../src/domain/share-setting.ts';
import type { SHARE_SETTINGS, SettingName } from '../../../src/domain/share-settings.ts';
import { isUnset, rulesNameProviders, SETTINGS } from '../../../src/domain/share-values.ts';
import { linesOf } from './lines-of.ts';
import { draftOfRules, type RulesDraft, rulesOfDraft } from './rules/rule-draft.ts';

/** Texts as they are typed, empty for none; lists one a line. */
export type SettingsDraft = { readonly [N in SettingName]: Drafted<(typeof SHARE_SETTINGS)[N]> };

type Drafted<S> = S extends { readonly kind: 'text' | 'names' | 'texts' | 'duration' }
  ? string
  : S extends { readonly kind: 'rules' }
    ? RulesDraft
    : S extends { readonly kind: 'choice'; readonly choices: infer Choices }
      ? keyof Choices
      : S extends { readonly kind: 'section'; readonly parts: infer Parts }
        ? { readonly required: boolean } & { readonly [P in keyof Parts]: string }
        : boolean;

/** In the order in which they are shown. */
export function namesIn(section: SettingsSection): readonly SettingName[] {
  return SETTINGS.flatMap(([name, { form }]) => (form.section === section ? [name] : []));
}

/** Nothing is set. */
export const NEW_DRAFT = draftWith((_, { unset }) => unset);

export function draftOf(share: Pick<ShareObject, SettingName>): SettingsDraft {
  return draftWith((name) => share[name]);
}

function draftWith(valueOf: (name: SettingName, setting: Setting) => unknown): SettingsDraft {
  const entries = SETTINGS.map(([name, setting]) => [name, drafted(setting, valueOf(name, setting))]);
  return Object.fromEntries(entries) as SettingsDraft;
}

/** The settings of one section. What a setting needs and does not have makes it unset. */
export function draftChanges(draft: SettingsDraft, section: SettingsSection): ShareChanges {
  const changes = SETTINGS.flatMap(([name, setting]) => {
    if (setting.form.section !== section || setting.form.readOnly === true) return [];
    const counts = isAskedFor(draft, setting);
    // A confirmation is said where it is needed alone.
    if (setting.kind === 'confirmation') return counts && draft[name] === true ? [[name, true]] : [];
    return [[name, counts ? said(setting, draft[name]) : setting.unset]];
  });
  return Object.fromEntries(changes) as ShareChanges;
}

/** Whether there is all that the setting needs, and nothing that contradicts it. */
export function isAskedFor(draft: SettingsDraft, setting: Setting): boolean {
  const { needs = [], orRules, excludes = [] } = setting;
  const rules = rulesOfDraft(draft.rules);
  const providers = listOf(draft.oauthProvider);
  if (setting.kind === 'confirmation')
    return isOpenToEveryone({
      oauthProvider: loginProviders(providers),
      clientCertificate: draft.clientCertificate.required ? { subject: null, unit: null } : null,
      rules,
    });
  const isSet = (name: string): boolean => {
    const value = draft[name as SettingName];
    if (typeof value === 'string') return value.trim() !== '';
    return typeof value === 'object' && 'required' in value && value.required;
  };
  const hasNeeded = needs.every(isSet) || (orRules === true && rulesNameProviders(rules));
  return hasNeeded && !excludes.some(isSet);
}

/** What people type, a line or a word each: none of these has a space. */
export function listOf(text: string): readonly string[] {
  return text.split(/\s+/).filter(Boolean);
}

function drafted(setting: Setting, value: unknown): unknown {
  switch (setting.kind) {
    case 'names':
      return providerNames(value as LoginProviders).join('\n');
    case 'texts':
      return (value as readonly string[]).join('\n');
    case 'rules':
      return draftOfRules(value as readonly AccessRuleDocument[]);
    case 'section': {
      const parts = value as Readonly<Record<string, string | null>> | null;
      const texts = Object.keys(setting.parts).map((part) => [part, parts?.[part] ?? '']);
      return { required: !isUnset(setting, value), ...Object.fromEntries(texts) };
    }
    default:
      return value ?? '';
  }
}

function said(setting: Setting, value: unknown): unknown {
  switch (setting.kind) {
    case 'text':
    case 'duration':
      return (value as string).trim() || null;
    case 'names':
      return loginProviders(listOf(value as string));
    case 'texts':
      return setting.syntax === 'glob' ? linesOf(value as string) : listOf(value as string);
    case 'rules':
      return rulesOfDraft(value as RulesDraft);
    case 'section': {
      const { required, ...parts } = value as SettingsDraft['clientCertificate'];
      const texts = Object.entries(parts).map(([part, text]) => [part, text.trim() || null]);
      return required ? { required, ...Object.fromEntries(texts) } : null;
    }
    default:
      return value;
  }
}
