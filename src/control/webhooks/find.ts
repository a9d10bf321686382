// Finds the webhook that a path names, within the caller's account; another account's is unknown in the same
// words.

import type { AccountId, WebhookId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
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

export function unknownWebhook(named: string): ServiceError {
  return new ServiceError('webhook_unknown', `Cannot find webhook "${named}": no webhook has that id`, {
    hint: 'List them with "doorward webhook list".',
  });
}

function isId(named: string): named is WebhookId {
  return named.startsWith('whk_');
}
