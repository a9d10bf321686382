// Calls about webhooks.

import type { WebhookOrder } from '../domain/list-orders.ts';
import {
  type Call,
  type Condition,
  type PageInput,
  pathPart,
  searchQuery,
  type SortedPageInput,
  type Versioned,
} from './call.ts';
import type {
  MadeWebhook,
  NewWebhookObject,
  WebhookChanges,
  WebhookDeliveryDetail,
  WebhookDeliveryPage,
  WebhookDeliveryState,
  WebhookObject,
  WebhookPage,
  WebhookRotation,
  WebhookTest,
} from '../wire/webhook.ts';

/** By id. Each throws what the API answers: `webhook_unknown`, `target_refused`, `too_many_webhooks`… */
export type WebhookCalls = {
  readonly create: (webhook: NewWebhookObject) => Promise<MadeWebhook>;
  readonly list: (page?: SortedPageInput<WebhookOrder>) => Promise<WebhookPage>;
  readonly show: (webhook: string) => Promise<WebhookObject>;
  readonly read: (webhook: string) => Promise<Versioned<WebhookObject>>;
  readonly modify: (
    webhook: string,
    changes: WebhookChanges,
    condition?: Condition,
  ) => Promise<WebhookObject>;
  /** Gives it another secret, which is shown this once. Throws `limit_reached`, too. */
  readonly rotateSecret: (
    webhook: string,
    rotation?: WebhookRotation,
    condition?: Condition,
  ) => Promise<MadeWebhook>;
  readonly remove: (webhook: string, condition?: Condition) => Promise<void>;
  readonly test: (webhook: string) => Promise<WebhookTest>;
  /** The last attempt first. */
  readonly deliveries: (
    webhook: string,
    page?: PageInput & { readonly state?: WebhookDeliveryState | undefined },
  ) => Promise<WebhookDeliveryPage>;
  /** Throws `delivery_unknown`, too. */
  readonly delivery: (delivery: string) => Promise<WebhookDeliveryDetail>;
  /** Once, at once. Throws `delivery_unknown` and `rate_limited`, too. */
  readonly redeliver: (delivery: string) => Promise<WebhookTest>;
};

export function webhookCalls(call: Call): WebhookCalls {
  return {
    create: async (webhook) => call('POST', '/v1/webhooks', webhook),
    list: async (page = {}) => call('GET', `/v1/webhooks?${searchQuery(page)}`),
    show: async (webhook) => call('GET', webhookPath(webhook)),
    read: async (webhook) => call.read(webhookPath(webhook)),
    modify: async (webhook, changes, condition = {}) =>
      call.onlyIf(condition)('PATCH', webhookPath(webhook), changes),
    rotateSecret: async (webhook, rotation = {}, condition = {}) =>
      call.onlyIf(condition)('POST', `${webhookPath(webhook)}/rotate-secret`, rotation),
    remove: async (webhook, condition = {}) => call.onlyIf(condition)('DELETE', webhookPath(webhook)),
    test: async (webhook) => call('POST', `${webhookPath(webhook)}/test`, {}),
    deliveries: async (webhook, page = {}) =>
      call('GET', `${webhookPath(webhook)}/deliveries?${searchQuery(page)}`),
    delivery: async (delivery) => call('GET', deliveryPath(delivery)),
    redeliver: async (delivery) => call('POST', `${deliveryPath(delivery)}/redeliver`, {}),
  };
}

function webhookPath(webhook: string): string {
  return `/v1/webhooks/${pathPart(webhook, 'webhook_unknown')}`;
}

function deliveryPath(delivery: string): string {
  return `/v1/webhook-deliveries/${pathPart(delivery, 'delivery_unknown')}`;
}
