// An incremental and strict parser of HTTP/1.1 answers (RFC 9112): bytes in, events out, no sockets. What it
// does not understand beyond doubt is a fault, and a fault is final.
//
//   begin → head → (1xx: head again) → none → complete → begin …
//                                    → length | chunked → complete
//                                    → until-close → finish() → complete
//                → 101 to an upgrade → switched

import { ChunkedBody, type BodySink } from './chunked-body.ts';
import { FieldSection } from './field-section.ts';
import { readFraming, type Framing } from './framing.ts';
import { UpstreamError } from './upstream-error.ts';

/**
 * Called from `feed()`. Whole messages are told by `state`, not by a call, so that a sink may begin the next
 * one.
 */
export type ResponseSink = BodySink & {
  onInformational(status: number, headers: readonly string[]): void;
  onHead(status: number, reason: string, headers: readonly string[]): void;
};

export type ParserState =
  | 'idle'
  | 'head'
  | 'length'
  | 'chunked'
  | 'until-close'
  | 'complete'
  | 'switched'
  | 'failed';

export class ResponseParser {
  state: ParserState = 'idle';
  /** Set in the state `failed`. */
  fault: UpstreamError | null = null;
  /** Whether any byte of this answer was seen. */
  started = false;
  /** Of the final answer; null before its head. */
  framing: Framing | null = null;
  readonly #sink: ResponseSink;
  readonly #head = new FieldSection();
  readonly #chunked = new ChunkedBody();
  #method = '';
  #upgrade: string | null = null;
  #informational = 0;
  #left = 0;

  constructor(sink: ResponseSink) {
    this.#sink = sink;
  }

  /** Expects the answer to a request of this method, which may have asked to switch to `upgrade`. */
  begin(method: string, upgrade: string | null): void {
    this.state = 'head';
    this.started = false;
    this.framing = null;
    this.#method = method;
    this.#upgrade = upgrade;
    this.#informational = 0;
    this.#head.reset('head');
  }

  /** What stood in them is not known: nothing more is to be read from that connection. */
  get trailersDropped(): boolean {
    return this.framing?.body === 'chunked' && this.#chunked.trailers.dropped;
  }

  /** Flat. */
  get trailers(): readonly string[] {
    return this.framing?.body === 'chunked' ? this.#chunked.trailers.fields : NO_FIELDS;
  }

  /** The fields of the 101 that switched. */
  get switchedHeaders(): readonly string[] {
    return this.#head.fields;
  }

  /**
   * Reads `chunk[0, to)` and gives the position behind what belongs to the answer. Look at `state`
   * afterwards. Never throws for what it reads; what a sink throws passes through.
   */
  feed(chunk: Buffer, to: number): number {
    let at = 0;
    try {
      while (at < to && this.#reading()) {
        this.started = true;
        at = this.#step(chunk, at, to);
      }
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      this.#fail(error);
    }
    return at;
  }

  /** The backend closed its side. */
  finish(): void {
    if (this.state === 'until-close') this.state = 'complete';
    else if (this.#reading()) this.#fail(new UpstreamError('reset', CLOSED_EARLY));
  }

  /** Reads nothing more, also when called from a sink. */
  stop(): void {
    this.state = 'idle';
  }

  #reading(): boolean {
    const { state } = this;
    return state === 'head' || state === 'length' || state === 'chunked' || state === 'until-close';
  }

  #step(chunk: Buffer, from: number, to: number): number {
    switch (this.state) {
      case 'head':
        return this.#readHead(chunk, from, to);
      case 'length': {
        const end = Math.min(to, from + this.#left);
        this.#left -= end - from;
        if (this.#left === 0) this.state = 'complete';
        this.#sink.onBody(chunk, from, end);
        return end;
      }
      case 'chunked': {
        const at = this.#chunked.feed(chunk, from, to, this.#sink);
        if (this.state === 'chunked' && this.#chunked.complete) this.state = 'complete';
        return at;
      }
      default:
        this.#sink.onBody(chunk, from, to);
        return to;
    }
  }

  #readHead(chunk: Buffer, from: number, to: number): number {
    const at = this.#head.feed(chunk, from, to);
    const { status: line, fields } = this.#head;
    if (!this.#head.complete || line === null) return at;
    const framing = readFraming(line, fields, this.#method);
    if (line.status === 101) this.#switch(fields);
    else if (line.status < 200) this.#inform(line.status, framing.persistent);
    else {
      this.framing = framing;
      this.#left = framing.length;
      if (framing.body === 'chunked') this.#chunked.reset();
      this.state = framing.body === 'none' ? 'complete' : framing.body;
      this.#sink.onHead(line.status, line.reason, fields);
    }
    return at;
  }

  /** What says that it is the last message, or has a body, is no informational answer. */
  #inform(status: number, persistent: boolean): void {
    const { fields } = this.#head;
    if (!persistent) throw fault('an informational answer that closes or announces a body');
    this.#informational += 1;
    if (this.#informational > MAX_INFORMATIONAL) throw fault('too many informational answers');
    this.#head.reset('head');
    this.#sink.onInformational(status, fields);
  }

  #switch(fields: readonly string[]): void {
    if (this.#upgrade === null) throw fault('a switch of protocols that was not asked for');
    const protocols = fields.filter((_, at) => at % 2 === 1 && fields[at - 1]?.toLowerCase() === 'upgrade');
    if (protocols.length !== 1 || protocols[0]?.toLowerCase() !== this.#upgrade.toLowerCase()) {
      throw fault('a switch to another protocol than the one asked for');
    }
    this.state = 'switched';
  }

  #fail(error: UpstreamError): void {
    this.state = 'failed';
    this.fault = error;
  }
}

function fault(found: string): UpstreamError {
  return new UpstreamError('protocol', `Cannot read the answer of the backend: ${found}`);
}

/** DESIGN 3 (Tunnel): at most 8 on every hop. A real answer has one or two. */
const MAX_INFORMATIONAL = 8;
const NO_FIELDS: readonly string[] = [];
const CLOSED_EARLY = 'Cannot read the answer of the backend: it closed the connection before the end';
