// An upgrade by HTTP/1.1: Node hands over the bare connection, so the answer is written here, a 101 or a
// refusal (RFC 9110 section 7.8). A refused upgrade always ends its connection.

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { isTunnelProtocol, TUNNEL_PROTOCOL } from '../tunnel/wire.ts';
import type { Connection } from './connection.ts';
import { valuesOf } from './flat-headers.ts';
import { noEvents, type AnswerHead, type Exchange, type ExchangeEvents, type Protocol } from './inbound.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

export class Http1UpgradeExchange implements Exchange {
  readonly protocol: Protocol = 'HTTP/1.1';
  readonly method: string;
  readonly target: string;
  readonly authority = null;
  readonly rawHeaders: readonly string[];
  readonly remoteAddress: string;
  readonly upgrade: string | null;
  readonly endsWithHead = false;
  readonly expectsContinue = false;
  readonly connection: Connection;
  readonly ownSocket = null;
  readonly events: ExchangeEvents = noEvents();
  readonly bodyComplete = true;
  headSent = false;
  readonly #socket: Duplex;
  readonly #firstBytes: Buffer;
  #chunked = false;
  #ended = false;

  constructor(request: IncomingMessage, firstBytes: Buffer, connection: Connection) {
    const { socket } = request;
    this.connection = connection;
    this.#socket = socket;
    this.#firstBytes = firstBytes;
    this.method = request.method ?? '';
    this.target = request.url ?? '';
    this.rawHeaders = request.rawHeaders;
    this.remoteAddress = request.socket.remoteAddress ?? '';
    this.upgrade = request.headers.upgrade ?? null;
    socket.on('error', ignore);
    socket.on('drain', () => this.events.onDrain());
    socket.on('close', () => this.events.onClose(this.#ended));
    socket.on('end', () => {
      if (!this.#ended) socket.destroy();
    });
    // Without a reader Node would tell neither `end` nor `close`; what comes before the answer is kept for
    // later.
    socket.pause();
  }

  readBody(): void {}

  resumeBody(): void {}

  dropBody(): void {}

  inform(): void {}

  head({ status, reason, headers, hasBody }: AnswerHead): void {
    this.headSent = true;
    this.#chunked = hasBody && valuesOf(headers, 'content-length').length === 0;
    const framing = this.#chunked ? ['Transfer-Encoding', 'chunked'] : [];
    this.#writeHead(status, reason, [...headers, ...framing, 'Connection', 'close']);
  }

  write(chunk: Uint8Array): boolean {
    if (!this.#chunked) return this.#socket.write(chunk);
    if (chunk.byteLength === 0) return true;
    this.#socket.write(`${chunk.byteLength.toString(16)}\r\n`);
    this.#socket.write(chunk);
    return this.#socket.write('\r\n');
  }

  flush(): void {}

  end(trailers: readonly string[]): void {
    this.#ended = true;
    if (this.#chunked) this.#socket.write(`0\r\n${lines(trailers)}\r\n`, 'latin1');
    this.#socket.end();
    // Whatever the visitor still sends is read and thrown away, so that its end is seen; a silent one is not
    // waited for.
    this.#socket.resume();
    setTimeout(() => this.#socket.destroy(), LINGER_MS).unref();
  }

  abort(): void {
    this.#socket.destroy();
  }

  switchProtocols(headers: readonly string[]): Duplex {
    this.headSent = true;
    this.#ended = true;
    this.#writeHead(101, 'Switching Protocols', [
      ...headers,
      'Connection',
      'Upgrade',
      'Upgrade',
      isTunnelProtocol(this.upgrade) ? TUNNEL_PROTOCOL : 'websocket',
    ]);
    if (this.#firstBytes.byteLength > 0) this.#socket.unshift(this.#firstBytes);
    return this.#socket;
  }

  #writeHead(status: number, reason: string, headers: readonly string[]): void {
    const phrase = reason === '' ? (STATUS_CODES[status] ?? '') : reason;
    this.#socket.write(`HTTP/1.1 ${status} ${phrase}\r\n${lines(headers)}\r\n`, 'latin1');
  }
}

function lines(headers: readonly string[]): string {
  let text = '';
  for (let index = 0; index < headers.length; index += 2) {
    const line = `${headers[index]!}: ${headers[index + 1]!}`;
    if (UNWRITABLE.test(line)) throw new TypeError('Cannot write a header: it has a control character');
    text += `${line}\r\n`;
  }
  return text;
}

/** A broken connection is told by `close`. */
function ignore(): void {}

/** Time for a refusal to arrive before the connection is torn down. */
const LINGER_MS = 1_000;
// oxlint-disable-next-line no-control-regex -- these are what must never reach the wire
const UNWRITABLE = /[\0-\x08\n-\x1F\x7F]/;
