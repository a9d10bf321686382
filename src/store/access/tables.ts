// The columns of requests for access, as the database has them.

export type AccessRequestsTable = {
  id: string;
  account_id: string;
  share_id: string;
  provider: string;
  provider_generation: string;
  email: string;
  message: string;
  first_asked_at: number;
  last_asked_at: number;
  state: string;
  decided_at: number | null;
  granted_until: number | null;
};
