// The columns of the tables of webhooks and what is to be delivered, as the database has them.

export type WebhooksTable = {
  id: string;
  account_id: string;
  name: string | null;
  url: string;
  /** JSON. */
  kinds: string;
  /** Sealed. */
  secret: string;
  enabled: number;
  created_at: number;
  failing_since: number | null;
  last_failure: string | null;
  last_delivered_at: number | null;
  /** Null until it is rotated first. */
  secret_rotated_at: number | null;
};

/** A secret of before a rotation. Deliveries carry its signature too, until then. */
export type WebhookFormerSecretsTable = {
  id: string;
  account_id: string;
  webhook_id: string;
  /** Sealed. */
  secret: string;
  signs_until: number;
};

export type WebhookDeliveriesTable = {
  id: string;
  account_id: string;
  webhook_id: string;
  /** JSON: `AuditEvent`. */
  event: string;
  created_at: number;
  /** Not before. Whoever tries it sets this ahead first, which is the lease. */
  next_at: number;
  /** Grows with each try, and tells the one that holds the lease from those that held it. */
  attempts: number;
};

/** A delivery that was tried. The columns of its last attempt stand beside them all, for the list. */
export type WebhookLogTable = {
  id: string;
  account_id: string;
  webhook_id: string;
  event_id: string;
  kind: string;
  /** By the store's clock. */
  last_at: number;
  /** By that of the gateway. */
  attempted_at: number;
  number: number | null;
  status: number | null;
  reason: string | null;
  duration_ms: number;
  payload: string;
  /** JSON: `DeliveryAttempt[]`. */
  attempts: string;
};
