// The columns of service tokens, as the database has them.

import type { LoginColumns } from '../people/login-columns.ts';

export type ServiceTokensTable = LoginColumns & {
  id: string;
  account_id: string;
  name: string;
  hash: string;
  /** Null for one of before these were kept. */
  start: string | null;
  /** JSON; some of them may be deleted by now. */
  share_ids: string;
  created_at: number;
  expires_at: number;
  created_by: string;
  last_used_at: number | null;
  member_id: string | null;
};
