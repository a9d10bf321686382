// How the service and the caller's account stand, as the control API tells it.

export type StatusObject = {
  readonly version: string;
  /** When the process that answers was started. One of several gateways on one PostgreSQL, perhaps. */
  readonly startedAt: string;
  /** Of that process. Without a running one no share answers there. */
  readonly workers: { readonly running: number; readonly configured: number };
  /** Of the account. */
  readonly shares: { readonly total: number; readonly enabled: number };
  readonly sessions: { readonly active: number };
};
