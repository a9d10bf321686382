// What can go wrong between the gateway and a backend. Detail is for the log: nothing of it is shown to a
// visitor.

export type UpstreamFaultCode =
  /** The backend could not be dialled; `cause` holds what the dialler or the socket said. */
  | 'connect_failed'
  /** No connection within `CONNECT_TIMEOUT_MS`. */
  | 'connect_timeout'
  /** The connection ended or broke before the answer was whole. */
  | 'reset'
  /** The backend sent something that RFC 9112 (as strictly read here) does not allow. */
  | 'protocol'
  /** All connections to this backend are taken and the queue is full, or the wait in it took too long. */
  | 'busy'
  /**
   * The request cannot be written as it is: a line break in a header, a header that the client owns. A fault
   * of the caller.
   */
  | 'request_refused'
  /** More or fewer bytes were written than `body.length` said. */
  | 'body_mismatch';

/** A failed exchange, or a connection closed for what it sent. */
export class UpstreamError extends Error {
  readonly code: UpstreamFaultCode;

  constructor(code: UpstreamFaultCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'UpstreamError';
    this.code = code;
  }
}
