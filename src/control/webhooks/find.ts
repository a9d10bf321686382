// Finds the webhook, or the delivery of its log, that a path names, within the caller's account; another
// account's is unknown in the same words.

import type { AccountId, DeliveryId, WebhookId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { DeliveryDetail, DeliveryLogTable } from '../../store/webhooks/logged-delivery.ts';
import type { ListedWebhook, WebhookTable } from '../../store/webhooks/webhook.ts';

/** Throws `webhook_unknown`. */
export async function findWebhook(
  webhooks: WebhookTable,
  accountId: AccountId,
  named: string,
): Promise<ListedWebhook> {
  const found = isId(named) ? await webhooks.find(accountId, named) : null;
  if (found === null) throw unknownWebhook(named);
  return found;
}

/** Of the log. Throws `delivery_unknown`. */
export async function findDelivery(
  deliveryLog: DeliveryLogTable,
  accountId: AccountId,
  named: string,
): Promise<DeliveryDetail> {
  const found = isDeliveryId(named) ? await deliveryLog.find(accountId, named) : null;
  if (found !== null) return found;
  throw new ServiceError('delivery_unknown', `Cannot find delivery "${named}": no log has that id`, {
    hint: 'List them with "doorward webhook deliveries".',
  });
}

export function isDeliveryId(named: string): named is DeliveryId {
  return named.startsWith('dlv_');
}

export function unknownWebhook(named: string): ServiceError {
  return new ServiceError('webhook_unknown', `Cannot find webhook "${named}": no webhook has that id`, {
    hint: 'List them with "doorward webhook list".',
  });
}

function isId(named: string): named is WebhookId {
  return named.startsWith('whk_');
}
