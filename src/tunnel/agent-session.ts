// The agent's end of one tunnel: an HTTP/2 server on the socket that it opened itself. Each stream is a
// request for the target.

import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';
import { constants } from 'node:http2';
import {
  CONNECTION_WINDOW_BYTES,
  MAX_HEADER_PAIRS,
  MAX_STREAMS,
  SESSION_MEMORY_MB,
  TUNNEL_SETTINGS,
} from './limits.ts';
import { LocalExchange, type LocalOutcome } from './local-exchange.ts';
import { readLocalHead, type LocalHead } from './local-head.ts';
import type { LocalTarget } from './local-target.ts';
import { breakOff, keepPinging, type PingTimes } from './pings.ts';
import type { UnreadBudget } from './unread.ts';
import { LEAVING_PING, WORN_PING } from './wire.ts';

export type AgentSession = {
  /** Resolves once the edge may ask; never for one that is over before. */
  readonly ready: Promise<void>;
  /** Resolves once its numbers run out: it serves on until there is another, which is wanted now. */
  readonly worn: Promise<void>;
  /** Resolves once the edge asks nothing new of it; what runs is still answered. */
  readonly left: Promise<void>;
  /** Resolves once it is over; it has left by then. */
  readonly closed: Promise<void>;
  /** The edge asks nothing new of it; resolves once what runs is answered. */
  readonly drain: () => Promise<void>;
  readonly destroy: () => void;
};

export type AgentSessionOptions = {
  readonly target: LocalTarget;
  readonly budget: UnreadBudget;
  readonly onRequest: (request: ServedRequest) => void;
  readonly pings?: Partial<PingTimes>;
};

/** One request, told once it is over. */
export type ServedRequest = {
  readonly head: LocalHead;
  readonly outcome: LocalOutcome;
  readonly durationMs: number;
};

/** The socket is the session's from now on. */
export function serveTunnel(socket: Duplex, options: AgentSessionOptions): AgentSession {
  const { budget } = options;
  socket.on('error', () => socket.destroy());
  const session = performServerHandshake(socket, {
    settings: { ...TUNNEL_SETTINGS, maxConcurrentStreams: MAX_STREAMS, enableConnectProtocol: true },
    maxHeaderListPairs: MAX_HEADER_PAIRS,
    maxSessionMemory: SESSION_MEMORY_MB,
    // Every visitor who leaves a page is a reset here, all on one connection: the gateway limits them, each
    // by itself.
    streamResetBurst: Number.MAX_SAFE_INTEGER,
    streamResetRate: Number.MAX_SAFE_INTEGER,
  });
  session.setLocalWindowSize(CONNECTION_WINDOW_BYTES);
  const unread = budget.openTunnel('agent');
  const stopPinging = keepPinging(session, socket, options.pings);
  const closed = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  const worn = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  // The edge has our settings, before which it asks nothing.
  session.once('localSettings', () => ready.resolve());
  session.on('ping', (payload: Uint8Array) => {
    if (WORN_PING.equals(payload)) worn.resolve();
  });
  session.on('goaway', () => left.resolve());
  session.on('error', () => breakOff(session, socket));
  session.on('close', () => {
    stopPinging();
    budget.closeTunnel(unread);
    left.resolve();
    closed.resolve();
  });
  session.on('stream', (stream, _headers, _flags, raw: readonly string[]) => {
    unread.watch(stream);
    serve(stream, raw, options);
  });
  return {
    ready: ready.promise,
    worn: worn.promise,
    left: left.promise,
    closed: closed.promise,
    drain: () => {
      drain(session);
      return closed.promise;
    },
    destroy: () => breakOff(session, socket),
  };
}

function serve(
  stream: ServerHttp2Stream,
  raw: readonly string[],
  { target, onRequest }: AgentSessionOptions,
): void {
  const head = readLocalHead(raw, stream.endAfterHeaders, target.host);
  if (head === null) {
    stream.on('error', () => undefined);
    stream.close(constants.NGHTTP2_PROTOCOL_ERROR);
    return;
  }
  const startedAt = performance.now();
  new LocalExchange(target, stream, head).start((outcome) =>
    onRequest({ head, outcome, durationMs: performance.now() - startedAt }),
  );
}

/**
 * In two steps: first that nothing new is wanted, then, once the edge has acknowledged it, that nothing new
 * is taken. What was on its way in between is still answered. (GOAWAY alone would lose it: behind one,
 * nghttp2 ignores new streams.)
 */
function drain(session: ServerHttp2Session): void {
  if (session.destroyed || session.closed) return;
  session.ping(LEAVING_PING, () => {
    if (!session.destroyed) session.close();
  });
}
