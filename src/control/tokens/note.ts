// What the audit says of a service token that is made or deleted; never the token itself.

import type { ChangeFields } from '../../domain/audit-change.ts';
import type { NewServiceToken } from '../../store/tokens/service-token.ts';
import type { ChangeNote } from '../change-note.ts';
import { timeText } from '../time-text.ts';

type ToldToken = Pick<NewServiceToken, 'name' | 'start' | 'shareIds' | 'expiresAt'>;

/** By id; undefined for a share that is gone. */
type NameOf = (shareId: NewServiceToken['shareIds'][number]) => string | undefined;

export function serviceTokenCreated(token: ToldToken, nameOf: NameOf): ChangeNote {
  const changes = { before: null, after: tokenFields(token, nameOf), secrets: ['token'] };
  return { kind: 'service_token.created', reason: token.name, changes };
}

export function serviceTokenDeleted(token: ToldToken, nameOf: NameOf): ChangeNote {
  const changes = { before: tokenFields(token, nameOf), after: null };
  return { kind: 'service_token.deleted', reason: token.name, changes };
}

function tokenFields({ name, start = null, shareIds, expiresAt }: ToldToken, nameOf: NameOf): ChangeFields {
  const shares = shareIds.map((id) => nameOf(id) ?? id);
  return { name, start, shares, expiresAt: timeText(expiresAt) };
}
