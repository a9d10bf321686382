// The settings of a share as its columns say them. Shares of an account are mostly alike: what the same
// columns say is the same object, in all its parts, so that very many shares hold it once, and read it once.

import { LRUCache } from 'lru-cache';
import { type RoutedSettings, type ShareSettings, UNSET_SETTINGS } from '../../domain/share-values.ts';
import { type RuledColumns, settingsIn } from './ruled-columns.ts';
import { forPeopleOf, ROUTED_COLUMNS, type RoutedColumns, type SettingColumns } from './setting-columns.ts';

export function sharedSettings(row: SettingColumns & RuledColumns): ShareSettings {
  const shared = settingsForAll(row);
  const saysNothing = row.description === null && row.icon === null && row.owner === null;
  if (saysNothing && row.listed !== 0) return shared;
  // What is for people differs from share to share: the rest is held once all the same.
  return { ...shared, ...forPeopleOf(row) };
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
  const { description, icon, listed, owner } = UNSET_SETTINGS;
  const settings = { ...settingsIn({ ...row, ...NOTHING_SAID }), description, icon, listed, owner };
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

const NOTHING_SAID = { description: null, icon: null, listed: 1, owner: null, rule_providers: null };
/** Two megabytes of columns; rules may be long. */
const MAX_KEPT_CHARACTERS = 2_000_000;
const read = new LRUCache<string, ShareSettings>({
  maxSize: MAX_KEPT_CHARACTERS,
  sizeCalculation: (_settings, key) => key.length,
});
