// Service tokens as the control API shows and takes them. Times are RFC 3339.

export type ServiceTokenObject = {
  readonly id: string;
  readonly name: string;
  /** Its first characters, such as `dws_9fK2xA`; null for one of before these were kept. */
  readonly start: string | null;
  /** Names of the shares that it opens. One that was deleted is not among them. */
  readonly shares: readonly string[];
  readonly expiresAt: string;
  readonly createdAt: string;
  /** `member:mem_…` or `api-key:key_…`. */
  readonly createdBy: string;
  /** To the minute; null for one that was never used. */
  readonly lastUsedAt: string | null;
};

export type ServiceTokenPage = {
  readonly items: readonly ServiceTokenObject[];
  readonly nextCursor: string | null;
};

export type NewServiceTokenInput = {
  readonly name: string;
  /** Names or ids; at least one. */
  readonly shares: readonly string[];
  /** How long it is good for, such as `90d`. */
  readonly expiresIn: string;
};

/** The token is shown this once. */
export type MadeServiceToken = ServiceTokenObject & { readonly token: string };
