// Calls about webhooks.

import { type Call, pathPart, searchQuery } from './call.ts';
import type {
  MadeWebhook,
  NewWebhookObject,
  WebhookChanges,
  WebhookObject,
  WebhookPage,
  WebhookTest,
} from './webhook-object.ts';

/** By id. Each throws what the API answers: `webhook_unknown`, `target_refused`, `too_many_webhooks`… */
export type WebhookCalls = {
  readonly create: (webhook: NewWebhookObject) => Promise<MadeWebhook>;
  readonly list: (page?: {
    readonly cursor?: string | null;
    readonly limit?: number;
  }) => Promise<WebhookPage>;
  readonly show: (webhook: string) => Promise<WebhookObject>;
  readonly modify: (webhook: string, changes: WebhookChanges) => Promise<WebhookObject>;
  readonly remove: (webhook: string) => Promise<void>;
  readonly test: (webhook: string) => Promise<WebhookTest>;
};

export function webhookCalls(call: Call): WebhookCalls {
  return {
    create: async (webhook) => call('POST', '/v1/webhooks', webhook),
    list: async (page = {}) => call('GET', `/v1/webhooks?${searchQuery(page)}`),
    show: async (webhook) => call('GET', webhookPath(webhook)),
    modify: async (webhook, changes) => call('PATCH', webhookPath(webhook), changes),
    remove: async (webhook) => call('DELETE', webhookPath(webhook)),
    test: async (webhook) => call('POST', `${webhookPath(webhook)}/test`, {}),
  };
}

function webhookPath(webhook: string): string {
  return `/v1/webhooks/${pathPart(webhook, 'webhook_unknown')}`;
}
