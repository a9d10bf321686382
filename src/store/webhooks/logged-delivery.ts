// What was delivered to webhooks lately, as the rooms above see it: each delivery with its last attempts.
// What still waits, and until when, the queue alone says, so that the log never claims what a crash made
// untrue.

import type { AuditKind } from '../../domain/audit-kind.ts';
import type { AccountId, AuditEventId, DeliveryId, WebhookId } from '../../domain/id.ts';

/** One POST, and what came of it. */
export type DeliveryAttempt = {
  /** Counts those that the service makes by itself, from 1; null for one by hand. */
  readonly number: number | null;
  readonly at: number;
  readonly durationMs: number;
  /** Of the address that was called: the webhook may lead elsewhere by now. */
  readonly origin: string;
  /** Null when no answer came. */
  readonly status: number | null;
  /** The first of the answer's body as text; null when none came. */
  readonly answer: string | null;
  /** Why it failed, public to the account; null when it arrived. */
  readonly reason: string | null;
};

/** What is kept of an attempt, beside what came of it. */
export type AttemptedDelivery = {
  readonly id: DeliveryId;
  readonly webhookId: WebhookId;
  readonly accountId: AccountId;
  readonly eventId: AuditEventId;
  readonly kind: AuditKind;
  /** The body as it was sent: the signature is over exactly these characters. */
  readonly payload: string;
};

export const DELIVERY_STATES = ['delivered', 'retrying', 'failed'] as const;
/** By the last attempt: it arrived; it failed and is tried again; it failed, and nobody tries it any more. */
export type DeliveryState = (typeof DELIVERY_STATES)[number];

export type LoggedDelivery = Omit<AttemptedDelivery, 'payload'> & {
  readonly state: DeliveryState;
  /** By the store's clock: the log is ordered by it. */
  readonly lastAt: number;
  readonly last: Omit<DeliveryAttempt, 'answer' | 'origin'>;
  /** When it is tried again at the latest; null when it is not. */
  readonly nextAt: number | null;
};

export type DeliveryDetail = LoggedDelivery & {
  readonly payload: string;
  /** The last ones, the oldest first. */
  readonly attempts: readonly DeliveryAttempt[];
};

export type LogPage = {
  readonly state: DeliveryState | null;
  /** Those that were tried last before this one. */
  readonly before: Pick<LoggedDelivery, 'lastAt' | 'id'> | null;
  readonly limit: number;
};

export interface DeliveryLogTable {
  /** The newest first. Another account's webhook has none. */
  list(
    of: { readonly accountId: AccountId; readonly webhookId: WebhookId },
    page: LogPage,
  ): Promise<readonly LoggedDelivery[]>;
  /** Another account's is none. */
  find(accountId: AccountId, id: DeliveryId): Promise<DeliveryDetail | null>;
  /**
   * An attempt by hand. One that arrived is tried no more, and the webhook counts as sound. Nothing is kept
   * when the webhook is gone by now.
   */
  attempted(delivery: AttemptedDelivery, attempt: DeliveryAttempt): Promise<void>;
  /** Deletes what was tried last before then. */
  forget(before: number): Promise<void>;
}

/** Of one webhook at least: enough to see what a receiver did wrong, and at most some megabytes. */
export const MOST_LOGGED = 100;
/** Of one delivery: a day of retries is some forty, of which the last tell most. */
export const MOST_ATTEMPTS = 10;

/** What was delivered tells what the audit told: it is kept no longer. */
export function deliveriesKeptMs(auditRetentionMs: number): number {
  return Math.min(auditRetentionMs, LOG_KEPT_MS);
}

const LOG_KEPT_MS = 7 * 24 * 60 * 60 * 1000;
