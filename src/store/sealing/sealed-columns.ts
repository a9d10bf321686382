// Every column that is sealed: what a rotation of the master key seals again and a restore checks. Each
// stands in a table with `id` and `account_id`, which are the row and the account of its associated data. A
// value can be sealed nowhere else.

export const SEALED_COLUMNS = [
  { table: 'provider_definitions', column: 'client_secret' },
  { table: 'provider_definitions', column: 'client_private_key' },
  { table: 'sessions', column: 'tokens' },
  { table: 'webhooks', column: 'secret' },
  { table: 'webhook_former_secrets', column: 'secret' },
  { table: 'account_cas', column: 'private_key' },
  { table: 'acme_accounts', column: 'private_key' },
  { table: 'acme_accounts', column: 'next_key' },
  { table: 'acme_names', column: 'private_key' },
  { table: 'acme_names', column: 'order_key' },
] as const;

export type SealedColumn = (typeof SEALED_COLUMNS)[number];

/** Where a sealed value stands. */
export type SealedPlace = {
  readonly table: SealedColumn['table'] | 'meta';
  readonly column: SealedColumn['column'] | 'value';
  readonly rowId: string;
  /** Empty for rows that belong to no account. */
  readonly accountId: string;
};

export function placeIn({ table, column }: SealedColumn, rowId: string, accountId: string): SealedPlace {
  return { table, column, rowId, accountId };
}
