// Carries one request to its backend and the answer back, streaming both ways with back-pressure. Either
// side's abort aborts the other; an answer that breaks off is cut so that the visitor sees it. Decides
// nothing, adds no header.

import type { Duplex } from 'node:stream';
import { ServiceError } from '../domain/service-error.ts';
import { backendFault } from './backend-fault.ts';
import { backendHead, backendTrailers, type AnswerRules } from './backend-answer.ts';
import { withCors } from './cors.ts';
import { withoutHeader } from './flat-headers.ts';
import type { HeaderKinds } from './header-kind.ts';
import type { BodySink } from './inbound.ts';
import type { Grant, OpenStream } from './open-streams.ts';
import { Progress, type ForwardLimits, type Stall } from './progress.ts';
import { NOWHERE } from './roster.ts';
import { type Seats, SOCKET_PORTION } from './seats.ts';
import { stripTrailers } from './strip.ts';
import { withinBounds } from '../domain/trailer-bounds.ts';
import type { WrittenFields } from './upstream/written-fields.ts';
import type { UpstreamError } from './upstream/upstream-error.ts';
import type { UpstreamExchange, UpstreamHandlers, UpstreamRequest } from './upstream/upstream-request.ts';
import { webSocketHandshake, withoutHandshakeProof } from './websocket-handshake.ts';
import { joinStreams } from './upgrade.ts';
import type { Visit } from './visit.ts';

/** Starts one exchange with the backend: directly (`upstream/`) or through a tunnel (`src/tunnel/`). */
export type Send = (request: UpstreamRequest, handlers: UpstreamHandlers) => UpstreamExchange;

export type ForwardPlan = {
  readonly send: Send;
  /** Flat, stripped, complete but for the identity. */
  readonly headers: string[];
  readonly identity: WrittenFields | null;
  readonly target: string;
  readonly body: 'none' | 'chunked' | { readonly length: number };
  readonly trailersAllowed: boolean;
  readonly webSocket: boolean;
  /** As `UpstreamRequest` has them. */
  readonly visitor: Duplex | null;
  readonly visitorName: string;
  /** Where the request takes a seat, and whose portion that is; see `seats.ts`. */
  readonly place: string;
  readonly owner: string;
  readonly client: string;
  readonly around: string | null;
  readonly portion: number;
  /** A WebSocket keeps its seat; else it has one among `sockets`. */
  readonly keepsSeat: boolean;
  /** Null for the service's own hosts. */
  readonly answerRules: AnswerRules | null;
  /** An origin of another site whose page may read the answer. */
  readonly corsOrigin: string | null;
  readonly grant: Grant | null;
  /** The connection is to end behind the answer: the gate is draining. */
  readonly closeAfter: boolean;
  /** For the trailers. */
  readonly kinds: HeaderKinds;
};

export type ForwardHooks = {
  /** Answers a fault of the backend, when nothing was answered yet. */
  readonly fail: (visit: Visit, error: ServiceError) => void;
  readonly opened: (stream: OpenStream) => void;
  /** It is a WebSocket now. */
  readonly upgraded: (visit: Visit) => void;
  /** `complete` as in `ExchangeEvents.onClose`. */
  readonly closed: (stream: OpenStream, visit: Visit, complete: boolean) => void;
  readonly seats: Seats;
  /** Of WebSockets that the client towards backends has handed over. */
  readonly sockets: Seats;
  readonly limits: ForwardLimits;
};

/**
 * Starts to forward. Throws before anything was sent when the request cannot be written, or there is no seat.
 */
export function forward(visit: Visit, plan: ForwardPlan, hooks: ForwardHooks): void {
  new Forwarding(visit, plan, hooks).start();
}

class Forwarding implements UpstreamHandlers, BodySink, OpenStream {
  readonly grant: Grant | null;
  webSocket = false;
  seat = NOWHERE;
  readonly #visit: Visit;
  readonly #plan: ForwardPlan;
  readonly #hooks: ForwardHooks;
  #upstream: UpstreamExchange | null = null;
  #over = false;
  #seated = false;
  #socketSeated = false;
  /** The visitor has the answer, and still sends the body. */
  #answered = false;
  #closeJoined: (() => void) | null = null;
  readonly #progress: Progress;

  constructor(visit: Visit, plan: ForwardPlan, hooks: ForwardHooks) {
    this.#visit = visit;
    this.#plan = plan;
    this.#hooks = hooks;
    this.grant = plan.grant;
    this.#progress = new Progress(plan.body !== 'none');
  }

  start(): void {
    const { exchange } = this.#visit;
    const plan = this.#plan;
    const method = plan.webSocket ? 'GET' : exchange.method;
    const headers = plan.webSocket ? webSocketHandshake(exchange, plan.headers) : plan.headers;
    const request: UpstreamRequest = {
      method,
      target: plan.target,
      headers,
      written: plan.identity,
      body: plan.body,
      trailersAllowed: plan.trailersAllowed,
      upgrade: plan.webSocket ? 'websocket' : null,
      visitor: plan.visitor,
      visitorName: plan.visitorName,
    };
    this.#hooks.seats.take(plan);
    this.#seated = true;
    try {
      if (plan.webSocket && !plan.keepsSeat) this.#takeSocketSeat();
      this.#upstream = plan.send(request, this);
    } catch (error) {
      this.#leaveSeat();
      this.#leaveSocketSeat();
      throw error;
    }
    exchange.events.onDrain = () => this.#visitorDrained();
    exchange.events.onClose = (complete) => this.#visitorClosed(complete);
    this.#hooks.opened(this);
    if (plan.body !== 'none') exchange.readBody(this);
  }

  // From the backend.

  onInformational(status: number, headers: readonly string[]): void {
    this.#visit.exchange.inform(status, headers);
  }

  onHead(status: number, reason: string, headers: readonly string[], ends = false): void {
    const { exchange } = this.#visit;
    const { corsOrigin } = this.#plan;
    const head = backendHead(headers, this.#plan.answerRules);
    // By HTTP/2 a head that ends the answer stays one: gRPC tells it from trailers behind no body.
    const endsHere = ends && exchange.protocol === 'HTTP/2';
    const hasBody = exchange.method !== 'HEAD' && status !== 204 && status !== 304 && !endsHere;
    let out = corsOrigin === null ? head.headers : withCors(head.headers, corsOrigin);
    if (status === 204) out = withoutHeader(out, 'content-length');
    // Trailers need a body without a length; HTTP/1.0 has none.
    const mayHaveTrailers = hasBody && head.length === null && exchange.protocol !== 'HTTP/1.0';
    if (!mayHaveTrailers) out = withoutHeader(out, 'trailer');
    this.#progress.answerBegun = true;
    this.#visit.status = status;
    this.#visit.answered = true;
    const { closeAfter } = this.#plan;
    this.#guarded(() =>
      exchange.head({ status, reason, headers: out, hasBody, mayHaveTrailers, closeAfter }),
    );
  }

  onData(chunk: Buffer): boolean {
    this.#visit.bytesSent += chunk.byteLength;
    const room = this.#visit.exchange.write(chunk);
    if (!room) this.#progress.pauseAnswer(true);
    return room;
  }

  onIdle(): void {
    this.#visit.exchange.flush();
  }

  onEnd(trailers: readonly string[]): void {
    this.#progress.pauseAnswer(false);
    this.#progress.answerEnded = true;
    this.#guarded(() => this.#visit.exchange.end(backendTrailers(withinBounds(trailers))));
  }

  onError(error: UpstreamError): void {
    this.#fail(backendFault(error));
  }

  onUpgrade(headers: readonly string[], socket: Duplex, firstBytes: Buffer): void {
    const visit = this.#visit;
    socket.on('error', () => socket.destroy());
    if (this.#over) {
      socket.destroy();
      return;
    }
    this.#progress.answerBegun = true;
    this.webSocket = true;
    this.#guarded(() => {
      const { answerRules } = this.#plan;
      // Nothing of a switch is kept by a cache.
      const head = backendHead(headers, answerRules && { ...answerRules, isPrivate: false });
      const out = visit.exchange.protocol === 'HTTP/2' ? withoutHandshakeProof(head.headers) : head.headers;
      const visitorEnd = visit.exchange.switchProtocols(out);
      visit.status = 101;
      visit.answered = true;
      this.#hooks.upgraded(visit);
      if (!this.#plan.keepsSeat) this.#leaveSeat();
      this.#closeJoined = joinStreams(visitorEnd, socket, { firstBytes, counts: visit });
    });
  }

  onDrain(): void {
    this.#progress.pauseBody(false);
    this.#visit.exchange.resumeBody();
  }

  // From the visitor.

  onChunk(chunk: Buffer): boolean {
    this.#visit.bytesReceived += chunk.byteLength;
    this.#progress.bodyMoved = true;
    const room = this.#upstream?.write(chunk) ?? true;
    if (!room) this.#progress.pauseBody(true);
    return room;
  }

  onBodyEnd(trailers: readonly string[]): void {
    this.#progress.bodyEnded = true;
    this.#upstream?.end(stripTrailers(this.#plan.kinds, withinBounds(trailers)));
    if (this.#answered) this.#close(true);
  }

  onAbort(): void {
    this.#progress.bodyEnded = true;
    this.#upstream?.abort();
    if (this.#answered) this.#close(true);
  }

  #visitorDrained(): void {
    this.#progress.pauseAnswer(false);
    this.#upstream?.resume();
  }

  #visitorClosed(complete: boolean): void {
    // What is left of a body goes on to a backend that answered early, and stays within the limits.
    if (complete && !this.#progress.bodyEnded) this.#answered = true;
    else this.#close(complete);
  }

  #close(complete: boolean): void {
    if (this.#over) return;
    this.#over = true;
    if (!complete) this.#upstream?.abort();
    this.#closeJoined?.();
    this.#leaveSeat();
    this.#leaveSocketSeat();
    this.#hooks.closed(this, this.#visit, complete);
  }

  #leaveSeat(): void {
    if (!this.#seated) return;
    this.#seated = false;
    this.#hooks.seats.leave(this.#plan);
  }

  #takeSocketSeat(): void {
    const { place, owner, client, around } = this.#plan;
    this.#hooks.sockets.take({ place, owner, client, around, portion: SOCKET_PORTION });
    this.#socketSeated = true;
  }

  #leaveSocketSeat(): void {
    if (!this.#socketSeated) return;
    this.#socketSeated = false;
    this.#hooks.sockets.leave(this.#plan);
  }

  // From the gate.

  cut(reason: string): void {
    this.#visit.reason = reason;
    this.#upstream?.abort();
    this.#closeJoined?.();
    this.#visit.exchange.abort();
  }

  tick(now: number): void {
    if (this.#over || this.webSocket) return;
    const stall = this.#progress.stalled(now, this.#hooks.limits);
    if (stall === 'answer_not_read') this.cut('answer_stalled');
    else if (stall !== null) this.#giveUp(stallFault(stall));
  }

  /** A request that was answered is over without the rest of its body, too. */
  #giveUp(error: ServiceError): void {
    if (!this.#progress.answerEnded) return this.#fail(error);
    this.#upstream?.abort();
    this.#dropBody();
  }

  #fail(error: ServiceError): void {
    if (this.#over) return;
    this.#upstream?.abort();
    if (this.#progress.answerBegun || this.#visit.exchange.headSent) this.cut(error.code);
    else this.#guarded(() => this.#answerFault(error));
  }

  #answerFault(error: ServiceError): void {
    this.#progress.answerBegun = true;
    this.#progress.answerEnded = true;
    this.#dropBody();
    this.#hooks.fail(this.#visit, error);
  }

  #dropBody(): void {
    if (this.#progress.bodyEnded) return;
    this.#progress.bodyEnded = true;
    this.#visit.exchange.dropBody();
    if (this.#answered) this.#close(true);
  }

  /**
   * What cannot be written to the visitor (a header that HTTP/2 forbids) breaks this exchange and nothing
   * else.
   */
  #guarded(write: () => void): void {
    try {
      write();
    } catch (error) {
      if (this.#visit.exchange.headSent) this.cut('unwritable');
      else {
        this.#upstream?.abort();
        this.#answerFault(
          new ServiceError('backend_down', 'Cannot forward a response: it cannot be written', {
            cause: error,
          }),
        );
      }
    }
  }
}

function stallFault(stall: Exclude<Stall, 'answer_not_read'>): ServiceError {
  if (stall === 'body_stopped')
    return new ServiceError('request_timeout', 'Cannot read a request: its body stopped arriving');
  return new ServiceError(
    'backend_timeout',
    stall === 'no_answer'
      ? 'Cannot forward a request: the backend did not answer'
      : 'Cannot forward a request: the backend stopped reading it',
  );
}
