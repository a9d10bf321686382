// The settings of a share as its columns say them. Shares of an account are mostly alike: what the same
// columns say is the same object, in all its parts, so that very many shares hold it once, and read it once.

import { LRUCache } from 'lru-cache';
import type { RoutedSettings, ShareSettings } from '../../domain/share-values.ts';
import { type RuledColumns, settingsIn } from './ruled-columns.ts';
import {
  forPeopleOf,
  NOTHING_FOR_PEOPLE,
  ROUTED_COLUMNS,
  type RoutedColumns,
  saysNothingForPeople,
  type SettingColumns,
} from './setting-columns.ts';

export function sharedSettings(row: SettingColumns & RuledColumns): ShareSettings {
  const shared = settingsForAll(row);
  // What is for people differs from share to share: the rest is held once all the same.
  return saysNothingForPeople(row) ? shared : { ...shared, ...forPeopleOf(row) };
}

/** What `routedOnce()` is told, in this order. */
export const LISTED_COLUMNS = ['ruled', ...ROUTED_COLUMNS] as const;

/**
 * What the gateway has of them, whose columns are a list as JSON: of all rows that are alike in it the very
 * same object, which says nothing that is for people alone.
 */
export function routedOnce(listed: string): RoutedSettings {
  const known = readListed.get(listed);
  if (known !== undefined) return known;
  const values = JSON.parse(listed) as readonly unknown[];
  const row = Object.fromEntries(LISTED_COLUMNS.map((column, at) => [column, values[at]]));
  const settings = settingsForAll(row as RoutedColumns & Pick<RuledColumns, 'ruled'>);
  readListed.set(listed, settings);
  return settings;
}

function settingsForAll(row: RoutedColumns & Pick<RuledColumns, 'ruled'>): ShareSettings {
  const key = keyOf(row);
  const known = read.get(key);
  if (known !== undefined) return known;
  const settings = settingsIn({ ...row, ...NOTHING_FOR_PEOPLE, rule_providers: null });
  read.set(key, settings);
  return settings;
}

/** Each value with its length, so that no two lists of values are written alike. */
function keyOf(row: RoutedColumns & Pick<RuledColumns, 'ruled'>): string {
  let key = row.ruled === null ? '' : `${row.ruled.length} ${row.ruled}`;
  for (const column of ROUTED_COLUMNS) {
    const value = row[column];
    if (value === null) key += ',';
    else if (typeof value === 'number') key += `,${value}n`;
    else key += `,${value.length} ${value}`;
  }
  return key;
}

/** Two megabytes of columns; rules may be long. */
const MAX_KEPT_CHARACTERS = 2_000_000;
const limits = {
  maxSize: MAX_KEPT_CHARACTERS,
  sizeCalculation: (_settings: ShareSettings, key: string) => key.length,
};
const read = new LRUCache<string, ShareSettings>(limits);
const readListed = new LRUCache<string, ShareSettings>(limits);
