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

/**
 * What the gateway has of them: of all rows that are alike in it the very same object, which says nothing
 * that is for people alone.
 */
export function routedOnce(row: RoutedColumns & Pick<RuledColumns, 'ruled'>): RoutedSettings {
  return settingsForAll(row);
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
const read = new LRUCache<string, ShareSettings>({
  maxSize: MAX_KEPT_CHARACTERS,
  sizeCalculation: (_settings, key) => key.length,
});
