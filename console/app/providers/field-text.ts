// The fields of a provider as text: as a form holds them, and as they are shown.

import {
  type FieldForm,
  type FieldName,
  type GivenValues,
  PROVIDER_FIELDS,
} from '../../../src/domain/provider-fields.ts';
import { isIconName } from '../../../src/domain/provider-icon.ts';
import type { ProviderKind } from '../../../src/domain/provider-kind.ts';
import { absentValue } from '../../../src/domain/provider-kinds.ts';

/** As a form holds it: what holds without it, too, is empty where it is a text. */
export function formText(kind: ProviderKind, name: FieldName, config: GivenValues): string {
  const value: unknown = config[name];
  if (typeof value === 'string' && value === absentValue(kind, name, config)) return '';
  return textOf(name, value);
}

/** What was typed, as the API takes it; undefined where nothing was. */
export function typedValue(name: FieldName, text: string): unknown {
  const { form } = PROVIDER_FIELDS[name];
  if (form === 'scopes' || form === 'patterns') return wordsOf(text);
  if (text.trim() === '') return undefined;
  if (form === 'claims' || form === 'acr values') return wordsOf(text);
  return form === 'parameters' ? parametersOf(text) : text.trim();
}

/** To see at once, whether somebody chose it or not. */
export function textOf(name: FieldName, value: unknown): string {
  return TEXTS[PROVIDER_FIELDS[name].form](value);
}

/** Among others, on one line. */
export function factOf(name: FieldName, value: unknown): string {
  const { form } = PROVIDER_FIELDS[name];
  if (form === 'prompt') return promptText(value);
  if (form === 'switch') return value === true ? 'yes' : 'no';
  if (form === 'authorities' && value !== undefined) return 'its own';
  if (form === 'icon' && typeof value === 'string' && !isIconName(value)) return 'its own';
  if (form === 'patterns' && textOf(name, value) === '') return 'any that the share allows';
  return textOf(name, value).replaceAll('\n', ', ');
}

/** What people are asked for at each login, in words. */
export function promptText(prompt: unknown): string {
  if (prompt === undefined) return 'as needed';
  return prompt === '' ? 'nothing' : String(prompt);
}

const TEXTS: Readonly<Record<FieldForm, (value: unknown) => string>> = {
  address: plainText,
  'document address': plainText,
  'base address': plainText,
  scopes: (value) => listOf(value).join(' '),
  switch: (value) => (value === undefined ? '' : value === true ? 'on' : 'off'),
  prompt: plainText,
  claim: plainText,
  claims: (value) => listOf(value).join('\n'),
  'acr values': (value) => listOf(value).join('\n'),
  duration: plainText,
  'display name': plainText,
  icon: plainText,
  authorities: plainText,
  parameters: (value) =>
    Object.entries((value ?? {}) as Readonly<Record<string, string>>)
      .map(([name, text]) => `${name}=${text}`)
      .join('\n'),
  patterns: (value) => listOf(value).join('\n'),
};

function plainText(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function listOf(value: unknown): readonly string[] {
  return (value ?? []) as readonly string[];
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[\s,]+/).filter(Boolean);
}

/** What follows the first `=` of each line, by what stands before it. */
function parametersOf(text: string): Readonly<Record<string, string>> {
  const lines = text.split('\n').map((line) => line.trim());
  return Object.fromEntries(
    lines
      .filter((line) => line !== '')
      .map((line) => {
        const [name = '', ...value] = line.split('=');
        return [name.trim(), value.join('=').trim()] as const;
      }),
  );
}
