// A webhook as the control API shows and takes it (DESIGN 2.5). Times are RFC 3339.

export type WebhookObject = {
  readonly id: string;
  readonly name: string | null;
  readonly url: string;
  /** Kinds of audit events that it is told of; none means all. */
  readonly kinds: readonly string[];
  /** False once it was switched off, or failed for three days. */
  readonly enabled: boolean;
  readonly createdAt: string;
  /** Since when every delivery failed; null while they arrive. */
  readonly failingSince: string | null;
  readonly lastFailure: string | null;
  readonly lastDeliveredAt: string | null;
  /** Deliveries that are still to be made. */
  readonly waiting: number;
  /** Null until it is rotated first. */
  readonly secretRotatedAt: string | null;
  /** Until when deliveries carry the signature of a former secret too; null for none. */
  readonly formerSecretsUntil: string | null;
};

/** With the secret, which is shown this once. */
export type MadeWebhook = WebhookObject & { readonly secret: string };

export type NewWebhookObject = {
  readonly url: string;
  readonly name?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
};

/** What is left out stays; null takes the name away, and no kinds mean all. */
export type WebhookChanges = {
  readonly url?: string | undefined;
  readonly name?: string | null | undefined;
  readonly kinds?: readonly string[] | undefined;
  readonly enabled?: boolean | undefined;
};

/** `overlap`: for how long the secrets of before sign too, as a duration, or `none`; 24h unless given. */
export type WebhookRotation = { readonly overlap?: string | undefined };

export type WebhookPage = {
  readonly items: readonly WebhookObject[];
  readonly nextCursor: string | null;
  /** Of the first page: how many there are, counted to 1,001. */
  readonly total?: number | null | undefined;
};

export type WebhookTest = {
  readonly delivered: boolean;
  /** Of the receiver's answer; null when none came. */
  readonly status: number | null;
  /** Why it was not delivered. */
  readonly reason: string | null;
};

/** By the last attempt: it arrived; it failed and is tried again; it failed, and is not tried again. */
export type WebhookDeliveryState = 'delivered' | 'retrying' | 'failed';

/** A delivery of the log, with its last attempt. */
export type WebhookDelivery = {
  readonly id: string;
  readonly eventId: string;
  /** Of the event. */
  readonly kind: string;
  readonly state: WebhookDeliveryState;
  readonly attemptedAt: string;
  /** Counts attempts that Doorward makes by itself; null for one by hand. */
  readonly attempt: number | null;
  readonly durationMs: number;
  /** Of the receiver's answer; null when none came. */
  readonly status: number | null;
  /** Why it failed; null when it arrived. */
  readonly reason: string | null;
  /** When it is tried again; null when it is not. */
  readonly nextAttemptAt: string | null;
};

export type WebhookDeliveryPage = {
  readonly items: readonly WebhookDelivery[];
  readonly nextCursor: string | null;
};

export type WebhookAttempt = {
  readonly attempt: number | null;
  readonly attemptedAt: string;
  readonly durationMs: number;
  /** Where it went: scheme, host and port. */
  readonly origin: string;
  readonly status: number | null;
  /** The first KiB of the answer's body, as text; null when no answer came. */
  readonly answer: string | null;
  readonly reason: string | null;
};

export type WebhookDeliveryDetail = WebhookDelivery & {
  /** The body exactly as it is sent. */
  readonly payload: string;
  /** The last ten, the oldest first. */
  readonly attempts: readonly WebhookAttempt[];
};
