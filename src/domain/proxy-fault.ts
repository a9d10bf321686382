// A proxy did not open the connection that it was asked for. Browsers load this file, too.

/** What a proxy did instead of opening a connection. */
export class ProxyFault extends Error {
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(message);
    this.name = 'ProxyFault';
    this.hint = hint;
  }
}
