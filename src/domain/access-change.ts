// Who gets in at a share before a change and after it, for the audit and for webhooks. Of a list that is long
// only what differs is told, and of that no more than fits: an event stays small, whatever the share has.

import { type ShareSettings, UNSET_SETTINGS } from './share-values.ts';

/** Of the settings that compile to rules (`compile-rules.ts`), those that differ, by name. */
export type AccessSide = Readonly<Record<string, unknown>>;

export type AccessChange = {
  /** Null for a new share. */
  readonly before: AccessSide | null;
  /** Null for a deleted share. */
  readonly after: AccessSide | null;
  /** How many values of lists are left out, on both sides together. */
  readonly omitted: number;
};

/**
 * Null where who gets in stays the same. A share that is not there is null, and is held against one that was
 * only made.
 */
export function accessChange(before: ShareSettings | null, after: ShareSettings | null): AccessChange | null {
  const told = ACCESS_SETTINGS.flatMap((name) => {
    const [was, is] = [(before ?? UNSET_SETTINGS)[name], (after ?? UNSET_SETTINGS)[name]];
    if (JSON.stringify(was) === JSON.stringify(is)) return [];
    const [shortWas, shortIs] = [listWithin(was, is), listWithin(is, was)];
    const omitted = shortWas.omitted + shortIs.omitted;
    return [{ name, was: shortWas.value, is: shortIs.value, omitted }];
  });
  if (told.length === 0 && before !== null && after !== null) return null;
  return {
    before: before && Object.fromEntries(told.map(({ name, was }) => [name, was])),
    after: after && Object.fromEntries(told.map(({ name, is }) => [name, is])),
    omitted: told.reduce((sum, { omitted }) => sum + omitted, 0),
  };
}

/** The value, or of a long list what the other side does not have, as far as there is room. */
function listWithin(value: unknown, other: unknown): { readonly value: unknown; readonly omitted: number } {
  if (!Array.isArray(value) || JSON.stringify(value).length <= MAX_LIST) return { value, omitted: 0 };
  const there = new Set((Array.isArray(other) ? other : []).map((each) => JSON.stringify(each)));
  let room = MAX_LIST;
  const kept = value.filter((each) => {
    const text = JSON.stringify(each);
    const fits = !there.has(text) && text.length < room;
    if (fits) room -= text.length + 1;
    return fits;
  });
  return { value: kept, omitted: value.length - kept.length };
}

const ACCESS_SETTINGS = [
  'oauthProvider',
  'oauthEmailAddressPatterns',
  'clientCertificate',
  'access',
  'allowGroups',
  'allowPaths',
  'allowAddresses',
  'denyEmails',
  'rules',
] as const satisfies readonly (keyof ShareSettings)[];

/** Characters of JSON: six lists on two sides, and so some 50,000 for an event at most. */
const MAX_LIST = 4_000;
