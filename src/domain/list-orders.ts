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

export type RequestTokenOrder = 'created' | 'expires' | 'used';

/** By `used`, those that nobody redeemed come before all others. */
export const REQUEST_TOKEN_ORDERS: Orders<RequestTokenOrder> = {
  keys: { created: ['number', 'text'], expires: ['number', 'text'], used: ['number', 'text'] },
  unsaid: '-created',
};

export type ApiKeyOrder = 'name' | 'created' | 'last_used' | 'expires';

/** Those that nobody used come before all others, those that do not expire after them. */
export const API_KEY_ORDERS: Orders<ApiKeyOrder> = {
  keys: {
    name: ['text'],
    created: ['number', 'text'],
    last_used: ['number', 'text'],
    expires: ['number', 'text'],
  },
  unsaid: 'name',
};

export type MemberOrder = 'email' | 'created' | 'last_login';

export const MEMBER_ORDERS: Orders<MemberOrder> = {
  keys: { email: ['text', 'text'], created: ['number', 'text'], last_login: ['number', 'text'] },
  unsaid: 'email',
};

export type HostOrder = 'name' | 'created';

export const HOST_ORDERS: Orders<HostOrder> = {
  keys: { name: ['text'], created: ['number', 'text'] },
  unsaid: 'name',
};

export type WebhookOrder = 'name' | 'created' | 'last_delivered';

/** By `name`, one that has none goes by its address. */
export const WEBHOOK_ORDERS: Orders<WebhookOrder> = {
  keys: { name: ['text', 'text'], created: ['number', 'text'], last_delivered: ['number', 'text'] },
  unsaid: 'created',
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
