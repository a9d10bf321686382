// A webhook as the API shows it: without its secret.

import type { ListedWebhook } from '../store/webhook.ts';

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
  };
}

function timeText(time: number | null): string | null {
  return time === null ? null : new Date(time).toISOString();
}
