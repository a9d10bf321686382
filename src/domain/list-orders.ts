// The orders in which lists can be asked for. Each has an index, so that a page costs the same however long
// the list is: what has none, such as a share's requests of a day, is shown and not sorted by.

/** One of these, or `-` and one of these for the other way round. */
export type SortName<Key extends string> = Key | `-${Key}`;

export type Sort<Key extends string> = { readonly by: Key; readonly descending: boolean };

/** What a list can be sorted by, and how it is when nobody says. */
export type Orders<Key extends string> = {
  /** With what tells the place of a row: the last of it is no other row's. */
  readonly keys: Readonly<Record<Key, readonly ('text' | 'number')[]>>;
  readonly unsaid: SortName<Key>;
};

export type ShareOrder = 'name' | 'created' | 'changed';

export const SHARE_ORDERS: Orders<ShareOrder> = {
  keys: { name: ['text'], created: ['number', 'text'], changed: ['number', 'text'] },
  unsaid: 'name',
};

export type SessionOrder = 'created' | 'last_seen' | 'email';

export const SESSION_ORDERS: Orders<SessionOrder> = {
  keys: { created: ['number', 'text'], last_seen: ['number', 'text'], email: ['text', 'number', 'text'] },
  unsaid: '-created',
};

export type CertificateOrder = 'created' | 'expires';

export const CERTIFICATE_ORDERS: Orders<CertificateOrder> = {
  keys: { created: ['number', 'text'], expires: ['number', 'text'] },
  unsaid: '-created',
};

export function sortNames<Key extends string>({ keys }: Orders<Key>): readonly SortName<Key>[] {
  return (Object.keys(keys) as Key[]).flatMap((key) => [key, `-${key}`] as const);
}

export function sortNamed<Key extends string>(name: SortName<Key>): Sort<Key> {
  const descending = name.startsWith('-');
  return { by: (descending ? name.slice(1) : name) as Key, descending };
}

/** How far a list is counted: beyond that a larger number tells nobody more. */
export const MOST_COUNTED = 1_000;
