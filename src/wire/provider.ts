// An auth provider definition as the control API shows and takes it (contract 2.4, DESIGN 2.1).

export type ProviderType = 'OIDC' | 'GOOGLE' | 'GITHUB';

export type ProviderConfigObject = {
  readonly clientId: string;
  /** `OIDC` and `GOOGLE`. */
  readonly issuerUrl?: string | undefined;
  readonly scopes?: readonly string[] | undefined;
  readonly supportsPkce?: boolean | undefined;
  readonly prompt?: string | undefined;
  readonly requireVerifiedEmail?: boolean | undefined;
  readonly rpInitiatedLogout?: boolean | undefined;
  /** `OIDC`: where the metadata are, when not below the issuer. */
  readonly discoveryUrl?: string | undefined;
  /** `OIDC`: the claim that the address is in. */
  readonly emailClaim?: string | undefined;
  /** PEM: believed in place of the public authorities. */
  readonly trustedAuthorities?: string | undefined;
  /** Of the login request, by name. */
  readonly loginParameters?: Readonly<Record<string, string>> | undefined;
  /** `GITHUB`: of an Enterprise Server. */
  readonly baseUrl?: string | undefined;
  readonly apiUrl?: string | undefined;
  /** Which every share that uses the definition must satisfy too. */
  readonly emailPatterns?: readonly string[] | undefined;
};

/** Written and never read back: a secret or, for `OIDC`, a private key with its id, which is set with the key alone. */
export type ProviderCredentialObject = {
  readonly clientSecret?: string | undefined;
  /** PEM (PKCS#8). */
  readonly clientPrivateKey?: string | undefined;
  readonly clientKeyId?: string | undefined;
};

/** Without its credential. */
export type ProviderObject = {
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

/** What is left out stays, the credential too; null takes a field away. Another type needs a whole configuration of its own. */
export type ProviderChanges = {
  readonly type?: ProviderType | undefined;
  readonly config?: ProviderConfigChanges | undefined;
};

export type ProviderConfigChanges = {
  readonly [Field in Exclude<keyof ProviderConfigObject, 'clientId'>]?: ProviderConfigObject[Field] | null;
} & ProviderCredentialObject & { readonly clientId?: string | undefined };

/** A provider that the operator configured: every account may use it, and none may change it. */
export type ConfiguredProvider = {
  readonly name: string;
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
