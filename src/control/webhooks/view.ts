// A webhook as the API shows it: without its secret.

import { shortHash } from '../../domain/secret.ts';
import type { ListedWebhook, Webhook, WebhookJudge } from '../../store/webhooks/webhook.ts';
import { checkIfMatch, type Versioned } from '../etag.ts';

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
    createdAt: new Date(webhook.createdAt).toISOString(),
    failingSince: timeText(webhook.failingSince),
    lastFailure,
    lastDeliveredAt: timeText(webhook.lastDeliveredAt),
    waiting,
    secretRotatedAt: timeText(webhook.secretRotatedAt),
    formerSecretsUntil: timeText(webhook.formerSecretsUntil),
  };
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
