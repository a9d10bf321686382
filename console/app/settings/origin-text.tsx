// Where a value was read: its key, and the line or that it is the default.

import type { SettingOrigin, SettingsObject } from '../../../src/wire/settings.ts';

/** By the place of the value in the answer. */
export type Origins = ReadonlyMap<string, SettingOrigin>;

export function originsOf({ origins }: Pick<SettingsObject, 'origins'>): Origins {
  return new Map(origins.map((origin) => [origin.setting, origin]));
}

export function OriginText({ origin }: { readonly origin: SettingOrigin | undefined }) {
  if (origin === undefined) return null;
  return (
    <small className="setting-origin">
      {origin.key === null ? (
        'built in'
      ) : (
        <>
          <code>{origin.key}</code>, {wordsFor(origin)}
        </>
      )}
    </small>
  );
}

function wordsFor({ from, line, isDefault }: SettingOrigin): string {
  if (from === 'default') return 'default';
  const place = line === null ? 'set' : `line ${line}`;
  if (from === 'start') return `${line === null ? 'changed' : `${place}, changed`}: applies after a restart`;
  return isDefault === true ? `${place}, default` : place;
}
