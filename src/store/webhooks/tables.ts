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
