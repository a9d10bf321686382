// The tables of certificates that come by themselves.

/** `next_key`: one that the account is to go by, or goes by since a moment. */
export type AcmeAccountsTable = {
  id: string;
  /** Empty: it is the installation's own. */
  account_id: string;
  directory: string;
  private_key: string;
  next_key: string | null;
  created_at: number;
  failures: number;
  retry_at: number | null;
  last_failure: string | null;
};

/** A name that gets a certificate. `order_key` is the key of the order under way. */
export type AcmeNamesTable = {
  id: string;
  /** Whose share needed it first; empty for the installation's own names. */
  account_id: string;
  name: string;
  created_at: number;
  private_key: string | null;
  certificate: string | null;
  not_before: number | null;
  not_after: number | null;
  renew_at: number | null;
  /** When the server is asked again what it suggests. */
  check_at: number | null;
  order_url: string | null;
  order_key: string | null;
  failures: number;
  retry_at: number | null;
  last_failure: string | null;
};

export type AcmeChallengesTable = {
  token: string;
  name_id: string;
  kind: string;
  host: string;
  /** Public: the key authorization, or what a TXT record holds. */
  answer: string;
  expires_at: number;
};

/** One row. `until` is on the store's clock. */
export type AcmeLeasesTable = { name: string; holder: string; until: number };
