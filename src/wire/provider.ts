// An auth provider definition as the control API shows and takes it (contract 2.4, DESIGN 2.1).

import type { GivenValues } from '../domain/provider-fields.ts';
import type { ProviderFinding } from '../domain/provider-finding.ts';
import type { DefinitionType } from '../domain/provider-kinds.ts';

export type ProviderType = DefinitionType;

/** Each type has some of the fields: `domain/provider-kinds.ts`. */
export type ProviderConfigObject = GivenValues & { readonly clientId: string };

/**
 * Written and never read back: a secret or, for a type that takes one, a private key with its id, which is
 * set with the key alone.
 */
export type ProviderCredentialObject = {
  readonly clientSecret?: string | undefined;
  /** PEM (PKCS#8). */
  readonly clientPrivateKey?: string | undefined;
  readonly clientKeyId?: string | undefined;
};

/** What the last test or trial found. */
export type ProviderFindingObject = ProviderFinding & {
  readonly at: string;
  /** As in the audit log: `member:mem_…`. */
  readonly actor: string;
  /** The settings were others then. */
  readonly isOutdated: boolean;
};

export type ProviderStanding = {
  /** Of the latest logins of the account; null when none of them was there. */
  readonly lastLoginAt: string | null;
  readonly lastTest: ProviderFindingObject | null;
  readonly lastTrial: ProviderFindingObject | null;
};

/** Without its credential. */
export type ProviderObject = ProviderStanding & {
  readonly id: string;
  readonly name: string;
  readonly type: ProviderType;
  readonly config: ProviderConfigObject;
  /** To register at the provider. */
  readonly redirectUrl: string;
  /** How many of the account's shares log in with it. */
  readonly shares: number;
  readonly createdAt: string;
  readonly updatedAt: string;
};

export type NewProvider = {
  readonly name: string;
  readonly type: ProviderType;
  readonly config: ProviderConfigObject & ProviderCredentialObject;
};

/**
 * What is left out stays, the credential too; null takes a field away. Another type needs a whole
 * configuration of its own.
 */
export type ProviderChanges = {
  readonly type?: ProviderType | undefined;
  readonly config?: ProviderConfigChanges | undefined;
};

export type ProviderConfigChanges = {
  readonly [Field in Exclude<keyof ProviderConfigObject, 'clientId'>]?: ProviderConfigObject[Field] | null;
} & ProviderCredentialObject & { readonly clientId?: string | undefined };

/** A provider that the operator configured: every account may use it, and none may change it. */
export type ConfiguredProvider = ProviderStanding & {
  readonly name: string;
  /** As people see it where they choose. */
  readonly displayName: string;
  /** The name of a sign, or a `data:` URL; null without one. */
  readonly icon: string | null;
  readonly type: ProviderType;
  readonly shares: number;
};

export type ProviderPage = {
  readonly items: readonly ProviderObject[];
  readonly nextCursor: string | null;
  /** All of them, on each page. */
  readonly configured: readonly ConfiguredProvider[];
  /** What is registered for a provider named `{name}`. */
  readonly redirectUrlPattern: string;
};

/** What a provider is called, and nothing else of it. */
export type ProviderNameObject = { readonly name: string; readonly displayName: string };

export type ProviderNamePage = {
  readonly items: readonly ProviderNameObject[];
  readonly nextCursor: string | null;
};
