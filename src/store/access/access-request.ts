// Requests for access, as the rooms above see them. Every call for an account names it.

import type { AccessRequestState } from '../../domain/access-request-state.ts';
import type { AccessRequest } from '../../domain/access-request.ts';
import type { AuditEvent } from '../../domain/audit-event.ts';
import type { AccessRequestId, AccountId, ShareId } from '../../domain/id.ts';

export type NewAccessRequest = Omit<
  AccessRequest,
  'firstAskedAt' | 'lastAskedAt' | 'state' | 'decidedAt' | 'grantedUntil'
> & {
  readonly at: number;
  /** A rule lets them in as it is: one that was granted may have been taken back since. */
  readonly isLetIn: boolean;
};

/**
 * `asked`: a new one, which the event tells of. `waiting`: there is one already, which has this message now.
 * `dismissed`: it was, not long ago, and stays so. `granted`: who asks is let in. `full`: there are too many.
 */
export type Asked = 'asked' | 'waiting' | 'dismissed' | 'granted' | 'full';

export type AccessRequestQuery = {
  readonly accountId: AccountId;
  readonly shareId: ShareId | null;
  readonly state: AccessRequestState;
  /** The last one of the page before. */
  readonly after: { readonly firstAskedAt: number; readonly id: string } | null;
  readonly limit: number;
};

export interface AccessRequestTable {
  /** There is one of a share, a provider and an address. `event` is kept with a new one alone. */
  ask(request: NewAccessRequest, event: AuditEvent): Promise<Asked>;
  /** A page of an account's, the newest first. */
  list(query: AccessRequestQuery): Promise<readonly AccessRequest[]>;
  find(accountId: AccountId, id: AccessRequestId): Promise<AccessRequest | null>;
  /** Null when it is not open, or not there: of two who decide at once, one does. */
  decide(decision: {
    readonly accountId: AccountId;
    readonly id: AccessRequestId;
    readonly state: Exclude<AccessRequestState, 'open'>;
    readonly at: number;
    readonly grantedUntil: number | null;
  }): Promise<AccessRequest | null>;
}
