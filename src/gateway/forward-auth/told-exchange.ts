// A request that a proxy tells of, as an exchange like any other: the gate decides about it as about one that
// came here by itself. Only `authorize()` answers 200: no proxy can take any other answer for that.

import type { Duplex } from 'node:stream';
import type { Connection } from '../connection.ts';
import { valuesOf, withoutHeader } from '../flat-headers.ts';
import type { AnswerHead, BodySink, Exchange, ExchangeEvents, Protocol } from '../inbound.ts';
import type { Account } from './account.ts';
import type { Dialect } from './dialects.ts';

export type ToldRequest = {
  readonly account: Account;
  readonly dialect: Dialect;
  readonly connection: Connection;
  /** Where somebody logs in who wants to come to that target. */
  readonly loginUrl: (target: string) => string;
};

export class ToldExchange implements Exchange {
  readonly protocol: Protocol = 'HTTP/1.1';
  readonly method: string;
  readonly target: string;
  readonly authority = null;
  readonly rawHeaders: readonly string[];
  readonly remoteAddress: string;
  readonly upgrade = null;
  readonly endsWithHead = true;
  readonly expectsContinue = false;
  readonly connection: Connection;
  readonly ownSocket: Duplex | null = null;
  readonly events: ExchangeEvents;
  readonly bodyComplete = true;
  readonly #asked: Exchange;
  readonly #told: ToldRequest;
  #hasBody = false;

  /** `asked`: the proxy's question. */
  constructor(asked: Exchange, told: ToldRequest) {
    const { account, connection } = told;
    this.#asked = asked;
    this.#told = told;
    this.method = account.method;
    this.target = account.target;
    this.rawHeaders = account.headers;
    this.remoteAddress = asked.remoteAddress;
    this.connection = connection;
    this.events = asked.events;
  }

  get headSent(): boolean {
    return this.#asked.headSent;
  }

  /** Whether the proxy asks for the answer to whoever is not let in. */
  get wantsRefusal(): boolean {
    return this.#told.dialect.answers === 'refusals';
  }

  /** Lets the request in. `identity`: every header that the app may be told by, flat, the empty ones too. */
  authorize(identity: readonly string[]): void {
    this.#send(200, 'OK', [...identity, 'Cache-Control', 'no-store', 'Content-Length', '0'], false);
    this.#asked.end([]);
  }

  head({ status, reason, headers, hasBody }: AnswerHead): void {
    const { dialect } = this.#told;
    // No answer of the gate's own lets anybody in.
    const shown = status >= 300 ? status : 403;
    const code = dialect.answers === 'codes' ? codeOf(shown) : shown;
    const own = this.#withLogin(code, withoutHeader(headers, 'content-length'));
    const isEmpty = !hasBody || this.#asked.method === 'HEAD';
    // A HEAD was asked about, perhaps by a GET.
    if (isEmpty) own.push('Content-Length', '0');
    else own.push('Content-Length', valuesOf(headers, 'content-length')[0] ?? '0');
    if (valuesOf(own, 'cache-control').length === 0) own.push('Cache-Control', 'no-store');
    this.#hasBody = !isEmpty;
    this.#send(code, code === status ? reason : '', own, this.#hasBody);
  }

  write(chunk: Buffer): boolean {
    return this.#hasBody ? this.#asked.write(chunk) : true;
  }

  flush(): void {
    this.#asked.flush();
  }

  end(): void {
    this.#asked.end([]);
  }

  abort(): void {
    this.#asked.abort();
  }

  inform(): void {}

  /** What the proxy asks about has its body elsewhere. */
  readBody(sink: BodySink): void {
    sink.onBodyEnd([]);
  }

  resumeBody(): void {}

  dropBody(): void {}

  switchProtocols(): Duplex {
    throw new TypeError('Cannot switch protocols: a proxy only asks about the request');
  }

  /** A proxy that makes the answer itself is told where it leads: to a page of the share's own host. */
  #withLogin(code: number, headers: string[]): string[] {
    if (this.#told.dialect.answers !== 'codes') return headers;
    const isPage = valuesOf(headers, 'location').length > 0;
    const own = withoutHeader(withoutHeader(headers, 'location'), 'set-cookie');
    return code === 401 && isPage ? [...own, LOGIN_URL_HEADER, this.#told.loginUrl(this.target)] : own;
  }

  #send(status: number, reason: string, headers: string[], hasBody: boolean): void {
    this.#asked.head({ status, reason, headers, hasBody, mayHaveTrailers: false, closeAfter: false });
  }
}

/** Whoever is to log in is unauthorized; all others are forbidden. */
function codeOf(status: number): 401 | 403 {
  return status === 401 || status === 302 || status === 303 ? 401 : 403;
}

const LOGIN_URL_HEADER = 'svc-login-url';
