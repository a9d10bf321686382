// The orders in which request tokens, API keys, members, host names and webhooks are listed, each of which an
// index has.

import { type Kysely, sql } from 'kysely';
import type { Tables } from '../tables.ts';

export async function moreListOrders(db: Kysely<Tables>): Promise<void> {
  for (const [table, orders] of Object.entries(ORDERS))
    for (const [name, column] of Object.entries(orders))
      await sql.raw(`CREATE INDEX ${table}_${name} ON ${table} (account_id, ${column}, id)`).execute(db);
}

/** What is not there is zero, but an end: that is later than any other. */
const ORDERS = {
  certificate_request_tokens: {
    in_creation: 'created_at',
    in_expiry: 'expires_at',
    in_use: 'coalesce(used_at, 0)',
  },
  api_keys: {
    in_creation: 'created_at',
    in_use: 'coalesce(last_used_at, 0)',
    in_expiry: 'coalesce(expires_at, 9007199254740991)',
  },
  members: {
    in_address: 'lower(email)',
    in_creation: 'created_at',
    in_login: 'coalesce(last_login_at, 0)',
  },
  share_hosts: { in_creation: 'created_at' },
  webhooks: {
    in_name: `substr(lower(coalesce(name, replace(replace(url, 'https://', ''), 'http://', ''))), 1, 100)`,
    in_creation: 'created_at',
    in_delivery: 'coalesce(last_delivered_at, 0)',
  },
};
