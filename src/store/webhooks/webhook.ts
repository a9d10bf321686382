// Webhooks as the rooms above see them: whom an account wants told of its audit events, and what is still to
// be told.

import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AuditKind } from '../../domain/audit-kind.ts';
import type { AccountId, DeliveryId, WebhookId } from '../../domain/id.ts';
import type { WebhookOrder } from '../../domain/list-orders.ts';
import type { Secret } from '../../domain/secret.ts';
import type { PageIn, RowsInOrder } from '../sorting.ts';
import type { DeliveryAttempt } from './logged-delivery.ts';

export type Webhook = {
  readonly id: WebhookId;
  readonly accountId: AccountId;
  readonly name: string | null;
  readonly url: string;
  /** Any one of them; none means every kind. */
  readonly kinds: readonly AuditKind[];
  /** False once it was switched off, or failed for too long. */
  readonly enabled: boolean;
  readonly createdAt: number;
  /** Since when every delivery failed; null while they arrive. */
  readonly failingSince: number | null;
  /** Why the last one failed. */
  readonly lastFailure: string | null;
  readonly lastDeliveredAt: number | null;
  /** Null until it is rotated first. */
  readonly secretRotatedAt: number | null;
};
export type NewWebhook = Omit<
  Webhook,
  'failingSince' | 'lastFailure' | 'lastDeliveredAt' | 'secretRotatedAt'
>;
export type ListedWebhook = Webhook & {
  /** How many deliveries wait. */
  readonly waiting: number;
  /** Until when deliveries carry the signature of a former secret too; null for none. */
  readonly formerSecretsUntil: number | null;
};

/** What is left out stays. */
export type WebhookSettings = Partial<Pick<Webhook, 'url' | 'name' | 'kinds' | 'enabled'>>;

export type SecretRotation = {
  readonly secret: Secret;
  /** For how long the secrets of before sign too; 0 ends them at once. */
  readonly overlapMs: number;
};
/** Beside the present one: each is another signature in every delivery. */
export const MOST_FORMER_SECRETS = 3;

/**
 * Sees the webhook as it is when it is about to be changed, and nobody else can change it. What it throws
 * stops the change.
 */
export type WebhookJudge = (webhook: Webhook) => void;

export interface WebhookTable {
  /** False when the account has `most` of them already. */
  create(made: {
    readonly webhook: NewWebhook;
    readonly secret: Secret;
    readonly most: number;
  }): Promise<boolean>;
  find(accountId: AccountId, id: WebhookId): Promise<ListedWebhook | null>;
  list(accountId: AccountId, page: PageIn<WebhookOrder>): Promise<RowsInOrder<ListedWebhook>>;
  /** At most `most`. */
  count(accountId: AccountId, most: number): Promise<number>;
  /** What deliveries are signed with, the present one first. Null when there is none of that id. */
  secrets(accountId: AccountId, id: WebhookId): Promise<readonly Secret[] | null>;
  /**
   * Switched on, or led elsewhere, it counts as sound again. Switched off, what waits is dropped; led
   * elsewhere, it goes there. Null when there is none.
   */
  modify(
    accountId: AccountId,
    id: WebhookId,
    settings: WebhookSettings,
    judge?: WebhookJudge,
  ): Promise<ListedWebhook | null>;
  /** Null when there is none; `full` when `MOST_FORMER_SECRETS` sign already. */
  rotate(
    accountId: AccountId,
    id: WebhookId,
    rotation: SecretRotation,
    judge?: WebhookJudge,
  ): Promise<ListedWebhook | 'full' | null>;
  /** With what waits for it. False when there is none. */
  remove(accountId: AccountId, id: WebhookId, judge?: WebhookJudge): Promise<boolean>;
}

/** A delivery that somebody holds, and nobody else tries, until the lease is over. */
export type LeasedDelivery = {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
  readonly event: AuditEvent;
  /** This try counted. It tells the holder of the lease from earlier ones. */
  readonly attempt: number;
  /** Since the event was written down, by the store's clock. */
  readonly ageMs: number;
};

export type LeasedDeliveries = {
  readonly webhook: Webhook;
  /** The present one first. */
  readonly secrets: readonly Secret[];
  readonly deliveries: readonly LeasedDelivery[];
};

/** An attempt of the holder of a lease. */
export type LeasedAttempt = {
  readonly delivery: LeasedDelivery;
  /** The body as it was sent. */
  readonly payload: string;
  readonly attempt: DeliveryAttempt;
};

export type DeliveryFailure = LeasedAttempt & {
  /** Null gives the delivery up. */
  readonly retryAfterMs: number | null;
  /** From when on a webhook that only fails is switched off. */
  readonly disableAfterMs: number;
  /** Appended when this failure switches it off. */
  readonly disabled: AuditEvent;
};

/** Of webhooks that are on, of accounts that are not suspended; at most 10,000 of each are counted. */
export type DeliveryBacklog = {
  readonly waiting: number;
  /** Due for more than a minute. */
  readonly overdue: number;
};

export interface DeliveryTable {
  backlog(): Promise<DeliveryBacklog>;
  /** Webhooks with something to deliver now. Not those of suspended accounts. */
  due(): Promise<readonly { readonly webhookId: WebhookId; readonly accountId: AccountId }[]>;
  /** Takes up to `limit` that are due, by one conditional UPDATE. Null when there are none (any more). */
  lease(of: {
    readonly webhookId: WebhookId;
    readonly limit: number;
    readonly leaseMs: number;
  }): Promise<LeasedDeliveries | null>;
  /** Arrived: nothing more to do. Nothing happens, nor is logged, when the lease was lost. */
  delivered(made: LeasedAttempt): Promise<void>;
  /** True when this failure switched the webhook off; what waited for it is dropped then. */
  failed(failure: DeliveryFailure): Promise<boolean>;
  /** Gives a lease back without a result: it is due at once. */
  release(delivery: LeasedDelivery): Promise<void>;
}
