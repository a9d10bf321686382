// What the audit says of a change to a share: who gets in, before and after.

import { accessChange } from '../../domain/access-change.ts';
import { onlyProvider } from '../../domain/named-providers.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import type { ChangeNote } from '../change-note.ts';

export function shareCreated(share: ShareRow): ChangeNote {
  return { kind: 'share.created', ...named(share), whoGetsIn: accessChange(null, share) };
}

export function shareModified(before: ShareRow, after: ShareRow): ChangeNote {
  return { kind: 'share.modified', ...named(after), whoGetsIn: accessChange(before, after) };
}

export function shareDeleted(share: ShareRow): ChangeNote {
  return { kind: 'share.deleted', ...named(share), whoGetsIn: accessChange(share, null) };
}

function named(share: ShareRow) {
  return { shareId: share.id, provider: onlyProvider(share), reason: share.name };
}
