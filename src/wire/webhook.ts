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

export type WebhookPage = { readonly items: readonly WebhookObject[]; readonly nextCursor: string | null };

export type WebhookTest = {
  readonly delivered: boolean;
  /** Of the receiver's answer; null when none came. */
  readonly status: number | null;
  /** Why it was not delivered. */
  readonly reason: string | null;
};
