// The columns of the tables of provider definitions, as the database has them.

export type ProviderDefinitionsTable = {
  id: string;
  account_id: string;
  name: string;
  type: string;
  /** JSON: `DefinitionConfig`. */
  config: string;
  /** Sealed. Beside a key, a random one: see `providers/credential.ts`. */
  client_secret: string;
  /** Sealed. */
  client_private_key: string | null;
  version: number;
  created_at: number;
  updated_at: number;
};

/** The last of each kind. */
export type ProviderFindingsTable = {
  account_id: string;
  provider: string;
  kind: string;
  /** Which settings were tried. */
  settings: string;
  found_at: number;
  actor: string;
  /** JSON: `ProviderFinding`. */
  found: string;
};

/** As `share_names`. */
export type ProviderNamesTable = { name: string; account_id: string };
