// Host names of their own that shares have, as the rooms above see them. A claim answers at nothing and
// stands in nobody's way until it is proved; then the host is the account's alone.

import type { AccountId, ShareHostId, ShareId } from '../../domain/id.ts';
import type { HostOrder } from '../../domain/list-orders.ts';
import type { PageIn, RowsInOrder } from '../sorting.ts';

/** `dns`: a record of the host says so. `operator`: the operator of the service does. */
export type HostProof = 'dns' | 'operator';

export type ShareHostRow = {
  readonly id: ShareHostId;
  readonly accountId: AccountId;
  readonly shareId: ShareId;
  readonly shareName: string;
  readonly host: string;
  readonly createdAt: number;
  /** Both null until it is proved. */
  readonly provedAt: number | null;
  readonly proof: HostProof | null;
};

/**
 * Sees the host as it is when it is about to go, and nobody else can change it. What it throws stops that.
 */
export type HostJudge = (host: ShareHostRow) => void;

export type ProvedHost = {
  readonly row: ShareHostRow;
  /** False for one that was proved already. */
  readonly isNew: boolean;
  /** Who lost the host by it. */
  readonly displaced: ShareHostRow | null;
};

export type HostGrant = { readonly host: string; readonly accountId: AccountId; readonly createdAt: number };

export interface ShareHostTable {
  /**
   * Throws `share_unknown`, `host_taken` when the account has claimed it already, `too_many_hosts` beyond
   * `most` of the share.
   */
  claim(claim: {
    readonly id: ShareHostId;
    readonly accountId: AccountId;
    readonly shareId: ShareId;
    readonly host: string;
    readonly createdAt: number;
    readonly most: number;
    /** Of all shares of the account together: throws `limit_reached` beyond it. */
    readonly mostOfAccount?: number;
  }): Promise<void>;
  /** By id or by host. */
  find(accountId: AccountId, named: string): Promise<ShareHostRow | null>;
  /** Of one share, if it is given. */
  list(
    accountId: AccountId,
    page: PageIn<HostOrder> & { readonly shareId: ShareId | null },
  ): Promise<RowsInOrder<ShareHostRow>>;
  /** Of one share, if it is given; at most `most`. */
  count(accountId: AccountId, shareId: ShareId | null, most: number): Promise<number>;
  /** The one account that has proved it, on whatever ground; null when none has. */
  holder(host: string): Promise<ShareHostRow | null>;
  /**
   * The claim is proved, and the share answers there: its version grows. Nothing is done for a claim that is
   * proved already. Null when the claim is gone. Throws `precondition_failed` when the share is at another
   * version, `host_taken` when another account has it. `displaces` is the account whose own proof by DNS was
   * seen to be gone: it loses the host.
   */
  prove(proving: {
    readonly accountId: AccountId;
    /** The claim that was judged: one made again for that host may be another share's. */
    readonly id: ShareHostId;
    readonly host: string;
    readonly proof: HostProof;
    readonly displaces: AccountId | null;
    readonly shareVersion: number;
    readonly at: number;
  }): Promise<ProvedHost | null>;
  /** By id or by host; answers what was deleted. */
  remove(accountId: AccountId, named: string, at: number, judge?: HostJudge): Promise<ShareHostRow | null>;
  isGranted(accountId: AccountId, host: string): Promise<boolean>;
  /** Granting again does nothing. Throws `host_taken` when it is another account's, by grant or by proof. */
  grant(grant: HostGrant): Promise<void>;
  /** What was granted, and the host of the share that has it by that grant. False when it was not granted. */
  revoke(accountId: AccountId, host: string, at: number): Promise<boolean>;
  grants(): Promise<readonly HostGrant[]>;
}
