// Host names of their own that shares have, as the control API shows and takes them. Times are RFC 3339.

export type HostObject = {
  readonly id: string;
  readonly host: string;
  /** The share's name. */
  readonly share: string;
  /** `pending` until it is proved: the share does not answer there. */
  readonly state: 'pending' | 'active';
  /** What made it active: the record below, or a grant of the operator. Null while it is pending. */
  readonly proof: 'dns' | 'operator' | null;
  /** The record that proves the host to be the account's. */
  readonly challenge: { readonly type: 'TXT'; readonly name: string; readonly value: string };
  readonly createdAt: string;
  readonly provedAt: string | null;
};

/** `share` is a name or an id. */
export type NewHost = { readonly host: string; readonly share: string };

export type HostPage = {
  readonly items: readonly HostObject[];
  readonly nextCursor: string | null;
  /** Of the first page: how many there are, counted to 1,001. */
  readonly total?: number | null | undefined;
};
