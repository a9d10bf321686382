// Finds the webhook, or the delivery of its log, that a path names, within the caller's account; another
// account's is unknown in the same words.

import type { AccountId, DeliveryId, WebhookId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import type { Store } from '../../store/store.ts';
import type { DeliveryDetail } from '../../store/webhooks/logged-delivery.ts';
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

/** Throws `webhook_unknown` or `delivery_unknown`. */
export async function findDelivery(
  { webhooks, deliveryLog }: Pick<Store, 'webhooks' | 'deliveryLog'>,
  accountId: AccountId,
  named: { readonly webhook: string; readonly delivery: string },
): Promise<{ readonly webhook: ListedWebhook; readonly delivery: DeliveryDetail }> {
  const webhook = await findWebhook(webhooks, accountId, named.webhook);
  const { delivery: id } = named;
  const of = { accountId, webhookId: webhook.id };
  const delivery = isDeliveryId(id) ? await deliveryLog.find(of, id) : null;
  if (delivery !== null) return { webhook, delivery };
  throw new ServiceError(
    'delivery_unknown',
    `Cannot find delivery "${id}": the webhook’s log does not have it`,
    {
      hint: `List the deliveries with "doorward webhook deliveries ${webhook.id}".`,
    },
  );
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
