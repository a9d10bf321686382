// What the audit says of a host that a share gets or loses.

import type { ShareHostRow } from '../../store/shares/host.ts';
import type { ChangeNote } from '../change-note.ts';

type ToldHost = Pick<ShareHostRow, 'shareId' | 'shareName' | 'host'>;

export function hostClaimed({ shareId, shareName, host }: ToldHost): ChangeNote {
  const changes = { before: null, after: { host, share: shareName } };
  return { kind: 'host.claimed', shareId, reason: host, changes };
}

export function hostDeleted({ shareId, shareName, host }: ToldHost): ChangeNote {
  const changes = { before: { host, share: shareName }, after: null };
  return { kind: 'host.deleted', shareId, reason: host, changes };
}
