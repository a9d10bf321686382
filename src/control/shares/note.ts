// What the audit says of a change to a share.

import type { AuditKind } from '../../domain/audit-kind.ts';
import type { ShareRow } from '../../store/shares/share.ts';
import type { ChangeNote } from '../change-note.ts';

export function shareNote(kind: AuditKind, share: ShareRow): ChangeNote {
  return { kind, shareId: share.id, provider: share.oauthProvider, reason: share.name };
}
