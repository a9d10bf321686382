// Why something happened, in a row of a list.

import type { AuditEventObject } from '../../../src/wire/audit-event.ts';
import { reasonText } from './audit-text.ts';
import { type Names, shareLabel } from './use-names.ts';

/** Ids say nothing to people, and the share's name stands beside it; the event's own page has both. */
export function whyShown({ reason, shareId, rule }: AuditEventObject, names: Names): string {
  if (rule !== null) return `rule ${rule}`;
  const told = reasonText(reason?.replaceAll(IDS, '').trim() ?? null);
  return shareId !== null && told === shareLabel(shareId, names) ? '' : told;
}

const IDS = /\b[a-z]{3}_[0-9a-z]{26}\b/g;
