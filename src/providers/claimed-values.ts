// Claims as texts, read strictly: what is of no such form is as good as not said, so that it satisfies no
// rule that lets in, and every rule that refuses (docs/design.md).

import { ServiceError } from '../domain/service-error.ts';
import type { Claims } from './provider-values.ts';

/**
 * The claim of that whole name, as `https://corp.example/roles`; else where the dotted path leads, through
 * objects' own members alone. Undefined when there is none.
 */
export function claimAt(document: Claims, path: string): unknown {
  if (Object.hasOwn(document, path)) return document[path];
  let value: unknown = document;
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    if (!Object.hasOwn(value, name)) return undefined;
    value = (value as Claims)[name];
  }
  return value;
}

/** Of the first document that says anything of it. */
export function firstClaim(documents: readonly Claims[], path: string): unknown {
  return documents
    .map((document) => claimAt(document, path))
    .find((value) => value !== undefined && value !== null);
}

/** A text, a list of texts, a number or a boolean, as texts; null for anything else. */
export function textsOf(value: unknown): readonly string[] | null {
  if (typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value)))
    return [String(value)];
  const texts: readonly unknown[] = Array.isArray(value) ? value : [value];
  return texts.every(isText) ? [...new Set(texts)] : null;
}

/**
 * Null when they are not told, or not as texts. Throws `too_many_groups` for more than can be kept of a
 * person.
 */
export function readGroups(value: unknown): readonly string[] | null {
  const groups = textsOf(value);
  if (groups === null) return null;
  const long = groups.find((group) => group.length > MAX_TEXT_LENGTH);
  if (groups.length <= MAX_GROUPS && long === undefined) return groups;
  throw tooManyGroups(
    long === undefined ? `there are ${groups.length}` : `one has ${long.length} characters`,
  );
}

export function tooManyGroups(found: string): ServiceError {
  return new ServiceError('too_many_groups', `Cannot keep the groups of a person: ${found}`, {
    hint: 'Have the provider send only the groups that rules ask for, at most 1,000, such as those assigned to this application, or its roles.',
  });
}

/** The claims that are kept. One that is too large is as good as not said. */
export function readClaims(
  documents: readonly Claims[],
  names: readonly string[],
): Readonly<Record<string, readonly string[]>> {
  const entries = names.flatMap((name): readonly (readonly [string, readonly string[]])[] => {
    const texts = textsOf(firstClaim(documents, name));
    if (texts === null || texts.length > MAX_VALUES) return [];
    return texts.every((text) => text.length <= MAX_TEXT_LENGTH) ? [[name, texts]] : [];
  });
  return Object.fromEntries(entries);
}

/** One short text, or null. */
export function readShortText(value: unknown): string | null {
  return isText(value) && value.length <= MAX_TEXT_LENGTH ? value : null;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '' && value.isWellFormed();
}

export const MAX_GROUPS = 1_000;
/** As many as a rule can name. */
const MAX_VALUES = 100;
const MAX_TEXT_LENGTH = 256;
