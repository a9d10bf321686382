// ETag and If-Match (RFC 9110 sections 8.8.3 and 13.1.1): id and version, so that a thing made again under an
// old name is another thing.

import { ServiceError } from '../domain/service-error.ts';

/** `version` is another after each change. */
export type Versioned = { readonly id: string; readonly name: string; readonly version: number | string };

export function etagOf({ id, version }: Versioned): string {
  return `"${id}.${version}"`;
}

/**
 * Throws `precondition_failed` unless the header is absent, `*`, or names the thing as it is. Weak tags never
 * match.
 */
export function checkIfMatch(header: string | undefined, thing: Versioned): void {
  if (header === undefined || header.trim() === '*') return;
  const tags = header.split(',').map((tag) => tag.trim());
  if (!tags.includes(etagOf(thing)))
    throw new ServiceError('precondition_failed', `Cannot change "${thing.name}": someone else changed it`, {
      hint: 'Read it again, then send its new ETag as If-Match.',
    });
}
