// A proxy did not open the connection that it was asked for. Browsers load this file, too.

export type ProxyFaultCode =
  /** No connection to it: no such host, nothing listens, its certificate. */
  | 'proxy_unreachable'
  /** It answered with something else than 2xx. */
  | 'proxy_refused'
  /** It, or what it connected to, was silent for too long. */
  | 'proxy_timeout'
  /** What it answered is no HTTP, is too long, or ended too early. */
  | 'proxy_invalid';

/** What a proxy did instead of opening a connection. Never holds its password. */
export class ProxyFault extends Error {
  readonly code: ProxyFaultCode;
  /** Of its answer; null where none was understood. */
  readonly status: number | null;
  readonly hint: string;

  constructor(
    code: ProxyFaultCode,
    message: string,
    { hint, status = null }: { readonly hint: string; readonly status?: number | null },
  ) {
    super(message);
    this.name = 'ProxyFault';
    this.code = code;
    this.status = status;
    this.hint = hint;
  }
}
