// A webhook's columns as the rooms above see them, and its secret sealed and opened.

import type { AuditKind } from '../../domain/audit-kind.ts';
import type { AccountId, WebhookId } from '../../domain/id.ts';
import type { Secret } from '../../domain/secret.ts';
import type { ColumnSeal, Sealer } from '../sealing/column-seal.ts';
import type { SealedPlace } from '../sealing/sealed-columns.ts';
import { isSet, listOf } from '../columns.ts';
import type { WebhooksTable } from './tables.ts';
import type { Webhook } from './webhook.ts';

export function toWebhook(row: WebhooksTable): Webhook {
  return {
    id: row.id as WebhookId,
    accountId: row.account_id as AccountId,
    name: row.name,
    url: row.url,
    kinds: kindsOf(row.kinds),
    enabled: isSet(row.enabled),
    createdAt: row.created_at,
    failingSince: row.failing_since,
    lastFailure: row.last_failure,
    lastDeliveredAt: row.last_delivered_at,
    secretRotatedAt: row.secret_rotated_at,
  };
}

export function kindsOf(column: string): readonly AuditKind[] {
  return listOf(column) as readonly AuditKind[];
}

export function sealSecret(
  sealer: Sealer,
  owner: { readonly id: string; readonly accountId: string },
  secret: Secret,
): string {
  return sealer.seal(placeOf(owner.id, owner.accountId), secret);
}

export function openSecret(
  seal: ColumnSeal,
  row: Pick<WebhooksTable, 'id' | 'account_id' | 'secret'>,
): Secret {
  return seal.open(placeOf(row.id, row.account_id), row.secret);
}

function placeOf(rowId: string, accountId: string): SealedPlace {
  return { table: 'webhooks', column: 'secret', rowId, accountId };
}
