// API keys as the control API shows and takes them (DESIGN 2.5). Times are RFC 3339.

import type { KeyScope, Role } from '../domain/role.ts';

export type ApiKeyObject = {
  readonly id: string;
  readonly name: string;
  /** Its first characters, such as `dw_9fK2xA`; null for one of before these were kept. */
  readonly start: string | null;
  readonly role: Role;
  readonly scope: KeyScope;
  /** Null for one that does not expire. */
  readonly expiresAt: string | null;
  readonly createdAt: string;
  /** `member:mem_…`, `api-key:key_…` or `operator`; null for an account's first. */
  readonly createdBy: string | null;
  /** The member whose key it is, and with whom it goes; null for an operator's. */
  readonly member: string | null;
  /** To the minute; null for one that was never used. */
  readonly lastUsedAt: string | null;
};

export type ApiKeyPage = {
  readonly items: readonly ApiKeyObject[];
  readonly nextCursor: string | null;
  /** Of the first page: how many there are, counted to 1,001. */
  readonly total?: number | null | undefined;
};

export type NewApiKeyInput = {
  readonly name: string;
  /** `member` unless said. */
  readonly role?: Role | undefined;
  /** `full` unless said. */
  readonly scope?: KeyScope | undefined;
  /** How long it is good for, such as `90d`; for ever unless said. */
  readonly expiresIn?: string | undefined;
};

/** The key is shown this once. */
export type MadeApiKey = ApiKeyObject & { readonly key: string };
