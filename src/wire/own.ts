// What people see of their own at the control plane: "My access". Times are RFC 3339.

import type { KeyScope, Role } from '../domain/role.ts';

export type MeObject = {
  readonly email: string;
  readonly provider: string;
  /** As people see it where they choose. */
  readonly providerDisplayName: string;
  /** Whether the provider vouches for the address: without that, no certificate is anybody's. */
  readonly emailVerified: boolean;
  /** When this login is over. */
  readonly expiresAt: string;
};

export type OwnSessionObject = {
  readonly id: string;
  /** Its name; null when the share is gone. */
  readonly share: string | null;
  readonly url: string | null;
  readonly ip: string | null;
  /** What the browser said of itself at the login. */
  readonly userAgent: string | null;
  readonly createdAt: string;
  readonly lastSeenAt: string;
  readonly expiresAt: string;
};

/** `more`: there are others beyond those that are listed. */
export type OwnSessionList = { readonly items: readonly OwnSessionObject[]; readonly more: boolean };

/** An app that the person may open. */
export type OwnShareObject = {
  /** Its name. */
  readonly share: string;
  /** The name of the account that it is of. */
  readonly account: string;
  readonly url: string;
  readonly description: string | null;
  /** One or two letters, a sign, or a `data:` URL of a small image; null: the first letter of its name. */
  readonly icon: string | null;
};

/** By account and name. It may hold few, or none, and still have a `nextCursor`. */
export type OwnSharePage = { readonly items: readonly OwnShareObject[]; readonly nextCursor: string | null };

export type OwnApiKeyObject = {
  readonly id: string;
  readonly name: string;
  /** As `ApiKeyObject.start`. */
  readonly start: string | null;
  readonly role: Role;
  readonly scope: KeyScope;
  /** It came from a login by device, or was made with such a key. */
  readonly isOfDevice: boolean;
  readonly createdAt: string;
  /** Null for one that does not expire. */
  readonly expiresAt: string | null;
  /** To the minute; null for one that was never used. */
  readonly lastUsedAt: string | null;
};

export type OwnApiKeyList = { readonly items: readonly OwnApiKeyObject[]; readonly more: boolean };

export type OwnCertificateObject = {
  readonly id: string;
  readonly name: string;
  readonly commonName: string;
  readonly organization: string | null;
  readonly organizationalUnit: string | null;
  /** The name of the account that gave it. */
  readonly account: string;
  readonly serial: string;
  readonly notBefore: string;
  readonly notAfter: string;
  readonly state: 'living' | 'revoked' | 'expired';
  readonly revokedAt: string | null;
  readonly lastUsedAt: string | null;
  /** A share, or `control`. */
  readonly lastUsedOn: string | null;
  /** `now`, `later` (from `renewableFrom` on), `renewed` (it was), or `never` here: ask an admin. */
  readonly renewal: 'now' | 'later' | 'renewed' | 'never';
  readonly renewableFrom: string;
};

export type OwnCertificateList = { readonly items: readonly OwnCertificateObject[]; readonly more: boolean };

/** The link that is good once, shown this once. */
export type OwnRenewal = { readonly url: string; readonly expiresAt: string };
