// What the audit says of a change to a share: each setting, before and after.

import { onlyProvider } from '../../domain/named-providers.ts';
import { shareChange } from '../../domain/share-fields.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import type { ChangeNote } from '../change-note.ts';

export function shareCreated(share: ShareRow): ChangeNote {
  return { kind: 'share.created', ...named(share), changes: shareChange(null, share) };
}

export function shareModified(before: ShareRow, after: ShareRow): ChangeNote {
  return { kind: 'share.modified', ...named(after), changes: shareChange(before, after) };
}

export function shareDeleted(share: ShareRow): ChangeNote {
  return { kind: 'share.deleted', ...named(share), changes: shareChange(share, null) };
}

function named(share: ShareRow) {
  return { shareId: share.id, provider: onlyProvider(share), reason: share.name };
}
