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
};

/** With the secret, which is shown this once. */
export type MadeWebhook = WebhookObject & { readonly secret: string };

export type NewWebhookObject = {
  readonly url: string;
  readonly name?: string | undefined;
  readonly kinds?: readonly string[] | undefined;
};

export type WebhookChanges = { readonly enabled: boolean };

export type WebhookPage = { readonly items: readonly WebhookObject[]; readonly nextCursor: string | null };

export type WebhookTest = {
  readonly delivered: boolean;
  /** Of the receiver's answer; null when none came. */
  readonly status: number | null;
  /** Why it was not delivered. */
  readonly reason: string | null;
};
