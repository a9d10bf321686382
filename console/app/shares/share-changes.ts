// What a form says of a share, as changes of it: only what differs is sent, so that what somebody else set
// stays.

import type { ShareChanges, ShareObject } from '../../../src/wire/share.ts';
import { isOpenToEveryone } from '../../../src/domain/open-share.ts';
import type { Setting } from '../../../src/domain/share-setting.ts';
import { hasNeeds, isLeftAsItIs, isUnset, SETTINGS } from '../../../src/domain/share-values.ts';

/** Those of the wanted settings that the share does not have yet; null when it has them all. */
export function changesOf(share: ShareObject, wanted: ShareChanges): ShareChanges | null {
  const entries = Object.entries(wanted).filter(
    ([name, value]) =>
      value !== undefined && JSON.stringify(value) !== JSON.stringify(share[name as keyof ShareObject]),
  );
  return entries.length === 0 ? null : Object.fromEntries(entries);
}

/** The share as it would be: for showing, before it is sent. */
export function withChanges(share: ShareObject, { target, ...changes }: ShareChanges): ShareObject {
  // What needs a login may have one by rules, which come later.
  const now: Record<string, unknown> = {
    ...share,
    target: target ?? share.target,
    rules: changes.rules ?? share.rules,
  };
  for (const [name, setting] of SETTINGS)
    now[name] = valueAfter(setting, { before: share[name], said: changes[name] }, now);
  const after = now as ShareObject;
  return { ...after, open: isOpenToEveryone(after) };
}

type Change = { readonly before: unknown; readonly said: unknown };

function valueAfter(
  setting: Setting,
  { before, said }: Change,
  now: Readonly<Record<string, unknown>>,
): unknown {
  if (!hasNeeds(setting, now)) return setting.unset;
  if (isLeftAsItIs(setting, said, now)) return before;
  const value = said === undefined ? before : said;
  if (setting.kind === 'duration') return value ?? setting.default;
  if (setting.kind !== 'section' || said === undefined) return value;
  if (isUnset(setting, said)) return null;
  const none = Object.fromEntries(Object.keys(setting.parts).map((part) => [part, null]));
  return { ...none, ...(said as object), required: true };
}
