// ETag and If-Match (RFC 9110 sections 8.8.3 and 13.1.1): the share's id and version, so that a share made anew under
// an old name is another thing.

import { ServiceError } from '../domain/service-error.ts';
import type { ShareRow } from '../store/store.ts';

export function shareEtag(row: ShareRow): string {
  return `"${row.id}.${row.version}"`;
}

/** Throws `precondition_failed` unless the header is absent, `*`, or names the share as it is. Weak tags never match. */
export function checkIfMatch(header: string | undefined, row: ShareRow): void {
  if (header === undefined || header.trim() === '*') return;
  const tags = header.split(',').map((tag) => tag.trim());
  if (!tags.includes(shareEtag(row)))
    throw new ServiceError(
      'precondition_failed',
      `Cannot change share "${row.name}": it was changed meanwhile`,
      {
        hint: 'Read it again, and send its new ETag as If-Match.',
      },
    );
}
