// A webhook as the API shows it: without its secret.

import { shortHash } from '../../domain/secret.ts';
import type { ListedWebhook, Webhook, WebhookJudge } from '../../store/webhooks/webhook.ts';
import { checkIfMatch, type Versioned } from '../etag.ts';
import { timeOrNull, timeText } from '../time-text.ts';

/**
 * For the ETag: what people set, and that it was switched off for failing; how its deliveries fare is no
 * version.
 */
export function webhookVersion({ id, name, url, kinds, enabled, secretRotatedAt }: Webhook): Versioned {
  const version = shortHash(JSON.stringify([name, url, kinds, enabled, secretRotatedAt]));
  return { id, name: name ?? id, version };
}

/** If-Match, held against the webhook at the moment of the change. */
export function webhookJudge(ifMatch: string | undefined): WebhookJudge {
  return (webhook) => checkIfMatch(ifMatch, webhookVersion(webhook));
}

export function webhookObject(webhook: ListedWebhook) {
  const { id, name, url, kinds, enabled, lastFailure, waiting } = webhook;
  return {
    id,
    name,
    url,
    kinds,
    enabled,
    createdAt: timeText(webhook.createdAt),
    failingSince: timeOrNull(webhook.failingSince),
    lastFailure,
    lastDeliveredAt: timeOrNull(webhook.lastDeliveredAt),
    waiting,
    secretRotatedAt: timeOrNull(webhook.secretRotatedAt),
    formerSecretsUntil: timeOrNull(webhook.formerSecretsUntil),
  };
}
