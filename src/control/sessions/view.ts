// A session as the API shows it.

import type { SessionObject } from '../../wire/session.ts';
import type { FoundSession } from '../../store/sessions/choice.ts';
import { timeText } from '../time-text.ts';

export function sessionObject({ row, shareName, active }: FoundSession): SessionObject {
  return {
    id: row.id,
    email: row.email,
    provider: row.providerName,
    shareId: row.shareId,
    share: shareName,
    ip: row.ip,
    userAgent: row.userAgent,
    createdAt: timeText(row.createdAt),
    lastSeenAt: timeText(row.lastSeenAt),
    checkedAt: timeText(row.checkedAt),
    expiresAt: timeText(row.expiresAt),
    endedAt: row.endedAt === null ? null : timeText(row.endedAt),
    endReason: row.endReason,
    active,
  };
}
