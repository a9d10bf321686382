// Where the TXT records of DNS-01 challenges are put (RFC 8555 section 8.4).

/** Both may be called again for what was done before, and throw an error with a message for the operator. */
export type DnsRecords = {
  readonly add: (record: TxtRecord) => Promise<void>;
  readonly remove: (record: TxtRecord) => Promise<void>;
};

export type TxtRecord = {
  /** Without a dot at its end: `_acme-challenge.share.example.com`. */
  readonly name: string;
  readonly value: string;
};
