// The settings of a share as columns of its row: texts, and integers for durations and switches; lists and
// sections are JSON. A column that a share was made without is empty, which is what is unset.

import type { AccessRuleDocument } from '../../domain/access-rule.ts';
import { type LoginProviders, loginProviders, providerNames } from '../../domain/named-providers.ts';
import type { Setting } from '../../domain/share-setting.ts';
import {
  KEPT_SETTINGS,
  keptKey,
  keptSettings,
  type SettingForPeople,
  type ShareSettings,
  snakeCase,
} from '../../domain/share-values.ts';
import { flag, isSet, listOf, listText } from '../columns.ts';

/** By the names of the settings in snake case. */
export type SettingColumns = {
  [K in keyof ShareSettings as SnakeCase<K>]: ColumnOf<ShareSettings[K]>;
};

export function columnsOf(settings: ShareSettings): SettingColumns {
  const kept: Readonly<Record<string, unknown>> = keptSettings(settings);
  const columns = COLUMNS.map(({ key, column, setting }) => [column, columnOf(setting, kept[key])]);
  return Object.fromEntries(columns) as SettingColumns;
}

export function settingsOf(row: SettingColumns): ShareSettings {
  const columns: Readonly<Record<string, unknown>> = row;
  const settings = COLUMNS.map(({ key, column, setting }) => [key, valueOf(setting, columns[column])]);
  return Object.fromEntries(settings) as ShareSettings;
}

/** What is for people alone. */
export function forPeopleOf(row: ColumnsForPeople): Pick<ShareSettings, SettingForPeople> {
  const columns: Readonly<Record<string, unknown>> = row;
  const settings = FOR_PEOPLE.map(({ key, column, setting }) => [key, valueOf(setting, columns[column])]);
  return Object.fromEntries(settings) as Pick<ShareSettings, SettingForPeople>;
}

/** Each under its name as it is kept, and in its column. */
const COLUMNS = KEPT_SETTINGS.map(([name, setting]) => {
  const key = keptKey(name, setting);
  return { key, column: snakeCase(key), setting };
});

const FOR_PEOPLE = COLUMNS.filter(({ setting }) => setting.forPeople === true);

type ColumnForPeople = SnakeCase<SettingForPeople>;
type ColumnsForPeople = Pick<SettingColumns, ColumnForPeople>;

export const NOTHING_FOR_PEOPLE = Object.fromEntries(
  FOR_PEOPLE.map(({ column, setting }) => [column, columnOf(setting, setting.unset)]),
) as ColumnsForPeople;

export function saysNothingForPeople(row: ColumnsForPeople): boolean {
  const columns: Readonly<Record<string, unknown>> = row;
  return Object.entries(NOTHING_FOR_PEOPLE).every(([column, unset]) => (columns[column] ?? unset) === unset);
}

/** Without those for people alone. */
export type RoutedColumns = Omit<SettingColumns, ColumnForPeople>;

/** In the order of the settings. */
export const ROUTED_COLUMNS = COLUMNS.flatMap(({ column, setting }) =>
  setting.forPeople === true ? [] : [column],
) as readonly (keyof RoutedColumns)[];

function columnOf({ kind }: Setting, value: unknown): unknown {
  switch (kind) {
    case 'switch':
      return flag(value as boolean);
    case 'texts':
      return listText(value as readonly string[]);
    case 'names':
      return providerNames(value as LoginProviders).join(NAME_SEPARATOR) || null;
    case 'rules':
      return JSON.stringify(value);
    case 'section':
      return value === null ? null : JSON.stringify(value);
    default:
      return value;
  }
}

function valueOf(setting: Setting, column: unknown): unknown {
  if (column === null) return setting.unset;
  switch (setting.kind) {
    case 'switch':
      return isSet(column as number);
    case 'texts':
      return listOf(column as string);
    case 'names':
      return loginProviders((column as string).split(NAME_SEPARATOR));
    case 'rules':
      return rulesIn(column as string);
    case 'choice':
      return Object.keys(setting.choices).find((choice) => choice === column) ?? setting.unset;
    case 'section': {
      const found = JSON.parse(column as string) as Readonly<Record<string, unknown>>;
      return Object.fromEntries(Object.keys(setting.parts).map((part) => [part, found[part] ?? null]));
    }
    default:
      return column;
  }
}

/** In no name of a provider: a version that knows one name alone finds no provider with this one. */
export const NAME_SEPARATOR = ',';

/** What is no list of rules lets nobody in. What is wrong with a rule is judged where it is compiled. */
function rulesIn(text: string): readonly AccessRuleDocument[] {
  const found: unknown = JSON.parse(text);
  return Array.isArray(found) && found.every(isRule) ? found : [{ deny: { everyone: true } }];
}

function isRule(value: unknown): value is AccessRuleDocument {
  const rule = value as Partial<Record<'allow' | 'deny', unknown>> | null;
  const conditions = typeof rule === 'object' ? (rule?.allow ?? rule?.deny) : null;
  return typeof conditions === 'object' && conditions !== null;
}

type ColumnOf<Value> = Value extends boolean
  ? number
  : Value extends number
    ? number
    : Value extends null
      ? null
      : string;

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
