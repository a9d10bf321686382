// Requests to a share that agents serve: over connections that they lent, by the same client as to any other
// backend. An agent that somebody watches is told of each once it is over.

import type { Duplex } from 'node:stream';
import type { ShareId } from '../domain/id.ts';
import type { Edge } from '../tunnel/edge.ts';
import type { ServedFault } from '../tunnel/told.ts';
import type { Send } from './forward.ts';
import type { Upstream } from './upstream/upstream.ts';
import type { UpstreamError } from './upstream/upstream-error.ts';
import type {
  DialOptions,
  UpstreamExchange,
  UpstreamHandlers,
  UpstreamOrigin,
  UpstreamRequest,
} from './upstream/upstream-request.ts';

export type TunnelWayOptions = {
  readonly upstream: Pick<Upstream, 'exchange'>;
  readonly edge: Edge;
  readonly shareId: ShareId;
  /** Its own host is what the target is to hear as Host. */
  readonly asTarget: boolean;
  /** Whose request it is, as the target hears it. */
  readonly email: () => string | null;
};

/** Connections of a share's agents are kept under it. */
export function tunnelKey(shareId: ShareId): string {
  return `tunnel ${shareId}`;
}

export function tunnelTo(options: TunnelWayOptions): Send {
  return (request, handlers) => {
    const { upstream, edge, shareId } = options;
    const way = new TunnelWay(options);
    if (!edge.isWatched(shareId)) return upstream.exchange(way, request, handlers);
    const watched = new WatchedExchange(options, way, { request, handlers });
    watched.start(upstream);
    return watched;
  };
}

class TunnelWay implements UpstreamOrigin {
  readonly key: string;
  readonly byAgent = true;
  /** What carries the request, once it does. */
  socket: Duplex | null = null;
  readonly #edge: Edge;
  readonly #shareId: ShareId;
  readonly #asTarget: boolean;

  constructor({ edge, shareId, asTarget }: TunnelWayOptions) {
    this.key = tunnelKey(shareId);
    this.#edge = edge;
    this.#shareId = shareId;
    this.#asTarget = asTarget;
  }

  dial(_options: DialOptions, isWanted: () => boolean): Promise<Duplex> {
    return this.#edge.dial(this.#shareId, isWanted);
  }

  keeps(socket: Duplex): boolean {
    return this.#edge.keeps(socket);
  }

  endedWell(socket: Duplex): Promise<boolean> {
    return this.#edge.endedWell(socket);
  }

  headOn(socket: Duplex, head: string): string {
    this.socket = socket;
    const host = this.#asTarget ? this.#edge.hostOf(socket) : null;
    return host === null ? head : head.replace(HOST_LINE, () => `\r\nHost: ${host}\r\n`);
  }
}

/** Tells the agent what became of the request. */
class WatchedExchange implements UpstreamExchange, UpstreamHandlers {
  readonly #options: TunnelWayOptions;
  readonly #way: TunnelWay;
  readonly #request: UpstreamRequest;
  readonly #handlers: UpstreamHandlers;
  readonly #startedAt = performance.now();
  #exchange: UpstreamExchange | null = null;
  #status = 0;
  #told = false;

  constructor(
    options: TunnelWayOptions,
    way: TunnelWay,
    { request, handlers }: { readonly request: UpstreamRequest; readonly handlers: UpstreamHandlers },
  ) {
    this.#options = options;
    this.#way = way;
    this.#request = request;
    this.#handlers = handlers;
  }

  start(upstream: TunnelWayOptions['upstream']): void {
    this.#exchange = upstream.exchange(this.#way, this.#request, this);
  }

  write(chunk: Uint8Array): boolean {
    return this.#exchange?.write(chunk) ?? true;
  }

  end(trailers?: readonly string[]): void {
    this.#exchange?.end(trailers);
  }

  resume(): void {
    this.#exchange?.resume();
  }

  abort(): void {
    this.#tell('visitor_left');
    this.#exchange?.abort();
  }

  onInformational(status: number, headers: readonly string[]): void {
    this.#handlers.onInformational(status, headers);
  }

  onHead(status: number, reason: string, headers: readonly string[], ends?: boolean): void {
    this.#status = status;
    this.#handlers.onHead(status, reason, headers, ends);
  }

  onData(chunk: Buffer): boolean {
    return this.#handlers.onData(chunk);
  }

  onIdle(): void {
    this.#handlers.onIdle?.();
  }

  onEnd(trailers: readonly string[]): void {
    this.#tell(null);
    this.#handlers.onEnd(trailers);
  }

  onError(error: UpstreamError): void {
    this.#tell(this.#status === 0 ? 'backend_down' : 'backend_broke_off');
    this.#handlers.onError(error);
  }

  onUpgrade(headers: readonly string[], socket: Duplex, firstBytes: Buffer): void {
    this.#status = 101;
    socket.once('close', () => this.#tell(null));
    this.#handlers.onUpgrade?.(headers, socket, firstBytes);
  }

  onDrain(): void {
    this.#handlers.onDrain();
  }

  #tell(fault: ServedFault | null): void {
    // A WebSocket that is over is over by whatever end.
    if (this.#told || (this.#status === 101 && fault === 'visitor_left')) return;
    this.#told = true;
    const { edge, shareId, email } = this.#options;
    edge.tell(this.#way.socket ?? shareId, {
      head: { method: this.#request.method, path: this.#request.target },
      outcome: { status: this.#status, fault },
      durationMs: performance.now() - this.#startedAt,
      email: email(),
    });
  }
}

const HOST_LINE = /\r\nhost:[^\r]*\r\n/i;
