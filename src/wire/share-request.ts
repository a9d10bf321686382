// A request at a share as the control API tells it while somebody watches.

export type ShareRequestObject = {
  /** When it was over, RFC 3339. */
  readonly at: string;
  readonly method: string;
  /** Without query: secrets travel there. */
  readonly path: string;
  /** 101 when it became a WebSocket; null when the visitor left before an answer began. */
  readonly status: number | null;
  /** Let in for the share's own proxy, which forwards it: what the app answers is not known. */
  readonly authorized: boolean;
  readonly ms: number;
  /** Email address, or the name in the client certificate; null for whoever showed neither. */
  readonly who: string | null;
  /** Why it was not let through, or was cut off: a code such as `login_required`. */
  readonly reason: string | null;
  /** The answer broke off, or the visitor left. */
  readonly aborted: boolean;
  /** The visitor's. */
  readonly address: string;
  readonly requestId: string;
};
