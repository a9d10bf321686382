// What can go wrong with a request on its way through a tunnel. The codes are those of the upstream client,
// so that the gate answers for both alike; detail is for the log.

export type TunnelFaultCode =
  /** No agent took the request, or the agent could not reach its backend. */
  | 'connect_failed'
  /** Every tunnel is full. */
  | 'busy'
  /** The tunnel or the stream broke before the answer was whole. */
  | 'reset'
  /** The agent sent what no answer may hold. */
  | 'protocol'
  /** More or fewer bytes of a body than were announced. */
  | 'body_mismatch';

export class TunnelError extends Error {
  readonly code: TunnelFaultCode;

  constructor(code: TunnelFaultCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = 'TunnelError';
    this.code = code;
  }
}
