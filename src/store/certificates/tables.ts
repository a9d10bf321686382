// The columns of the tables of CA certificates, request tokens and certificates, as the database has them.

export type AccountCasTable = {
  id: string;
  account_id: string;
  /** Base64 of DER. */
  certificate: string;
  /** Sealed. */
  private_key: string;
  created_at: number;
  not_after: number;
  /** Null for the one of the account that issues. */
  retired_at: number | null;
  crl_number: number;
  /** When the account was told that it ends; null until then. */
  end_noted_at: number | null;
};

/** `policy`: JSON of a `CertificatePolicy`. */
export type CertificatePoliciesTable = { account_id: string; policy: string; version: number };

export type CertificateRequestTokensTable = {
  id: string;
  account_id: string;
  hash: string;
  /** Null for one of before these were kept. */
  start: string | null;
  name: string;
  /** JSON: `CertificateSubject`. */
  subject: string;
  validity_ms: number;
  api_role: string | null;
  created_at: number;
  created_by: string;
  expires_at: number;
  used_at: number | null;
  certificate_id: string | null;
  /** The certificate whose holder asked for it; null for one that an admin made. */
  renews: string | null;
  /** As `CertificateRequestToken.renewableMs`. */
  renewable_ms: number | null;
};

export type ClientCertificatesTable = {
  id: string;
  account_id: string;
  ca_id: string;
  /** Upper-case hex. */
  serial: string;
  /** JSON: `CertificateSubject`. */
  subject: string;
  /** That of the subject, in lower case. */
  email_address: string | null;
  /** SHA-256 in lower-case hex, as `key_hash`. */
  fingerprint: string;
  key_hash: string;
  /** Base64 of DER. */
  certificate: string;
  not_before: number;
  not_after: number;
  api_role: string | null;
  allowed_by: string;
  token_id: string | null;
  renewed_from: string | null;
  created_at: number;
  revoked_at: number | null;
  revocation_reason: string | null;
  revoked_by: string | null;
  last_used_at: number | null;
  last_used_on: string | null;
  last_used_from: string | null;
  /** Null for one that was kept before these two. */
  name: string | null;
  validity_ms: number | null;
  /** Null when nobody is to be told any more. */
  next_notice_at: number | null;
  /** Null for one that was kept before these two: as if it were the first of its line. */
  line_since: number | null;
  renewable_ms: number | null;
};

export type CompromisedKeysTable = {
  /** The account and the hash. */
  id: string;
  account_id: string;
  key_hash: string;
  marked_at: number;
  marked_by: string;
};

/** The newest that was published of each authority; made again where it is missing. */
export type RevocationListsTable = {
  ca_id: string;
  number: number;
  /** As `CertificateTable.revocationState` was. */
  state: string;
  this_update: number;
  next_update: number;
  /** Base64 of DER. */
  list: string;
};

/** Certificates that were revoked and are not in the store. One authority's serial is there once. */
export type RevokedSerialsTable = {
  id: string;
  account_id: string;
  ca_id: string;
  /** Upper-case hex. */
  serial: string;
  /** By when the certificate is over for sure. */
  not_after: number;
  revoked_at: number;
  reason: string;
  revoked_by: string;
};

/** Which words a certificate has (`search/`). */
export type CertificateWordsTable = { word_id: number; certificate_id: string };

/** Certificates whose words are still to be added; the database writes it. */
export type CertificatesUnsearchedTable = { certificate_id: string };
