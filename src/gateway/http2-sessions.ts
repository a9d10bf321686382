// HTTP/2 connections (RFC 9113): their settings, their limits, their end. Each stream is an exchange.

import {
  constants,
  performServerHandshake,
  type ServerHttp2Session,
  type SecureServerOptions,
} from 'node:http2';
import type { TLSSocket } from 'node:tls';
import { outlive } from './session-outlives.ts';
import { isSuspect, noteBroken, noteWhole, type BrokenCount, type BrokenStreams } from './broken-streams.ts';
import type { Connection } from './connection.ts';
import { MAX_HEADER_CHARACTERS, MAX_HEADERS } from './guard.ts';
import { Http2Exchange } from './inbound-http2.ts';
import type { Exchange } from './inbound.ts';

export type Http2Sessions = {
  readonly accept: (socket: TLSSocket, connection: Connection) => void;
  /** GOAWAY: no new streams; connections end with their last one. */
  readonly drain: () => void;
  readonly close: () => void;
};

export function createHttp2Sessions(
  onExchange: (exchange: Exchange) => void,
  brokenStreams: BrokenStreams,
): Http2Sessions {
  const sessions = new Map<ServerHttp2Session, SessionLife>();
  let sweeper: NodeJS.Timeout | null = null;
  let draining = false;
  const sweep = () => {
    if (sessions.size === 0 && sweeper !== null) {
      clearInterval(sweeper);
      sweeper = null;
    }
    const now = performance.now();
    for (const [session, life] of sessions)
      if (life.open === 0 && now - life.idleSince >= (life.used ? IDLE_MS : FIRST_STREAM_MS))
        // A peer that sent no whole head in time gets no goodbye: it isn't listening to one either.
        if (life.used) session.close();
        else session.destroy();
  };
  /** Those by which the visitor did it; others may be of somebody else behind the same address. */
  const endBreaking = (of: BrokenCount) => {
    for (const [session, life] of sessions)
      if ((life.count === of || life.count?.around === of) && life.broken > life.whole + FEW_BROKEN)
        session.destroy(new Error('too many streams were reset'), constants.NGHTTP2_ENHANCE_YOUR_CALM);
  };
  const accept = (socket: TLSSocket, connection: Connection) => {
    socket.on('error', () => socket.destroy());
    const count = brokenStreams.of(socket.remoteAddress ?? '');
    const session = performServerHandshake(socket, optionsFor(count));
    const life: SessionLife = {
      open: 0,
      used: false,
      idleSince: performance.now(),
      count,
      broken: 0,
      whole: 0,
    };
    sessions.set(session, life);
    sweeper ??= setInterval(sweep, SWEEP_MS).unref();
    session.on('error', () => session.destroy());
    session.on('close', () => sessions.delete(session));
    // Each is work for this thread, and as long as a stream is open the connection takes more of them.
    let goodbyes = 0;
    session.on('goaway', () => {
      if (++goodbyes > MAX_GOODBYES) session.destroy();
    });
    session.on('stream', (stream, _headers, _flags, rawHeaders: string[]) => {
      outlive(session, stream);
      life.open++;
      life.used = true;
      const exchange = new Http2Exchange(stream, rawHeaders, connection);
      stream.on('close', () => {
        life.open--;
        life.idleSince = performance.now();
        if (count === null) return;
        if (!exchange.brokenByVisitor) {
          life.whole++;
          noteWhole(count);
        } else {
          life.broken++;
          const over = noteBroken(count);
          if (over !== null) endBreaking(over);
        }
      });
      onExchange(exchange);
    });
    if (draining) session.close();
  };
  return {
    accept,
    drain: () => {
      draining = true;
      for (const session of sessions.keys()) session.close();
    },
    close: () => {
      if (sweeper !== null) clearInterval(sweeper);
      for (const session of sessions.keys()) session.destroy();
    },
  };
}

type SessionLife = {
  open: number;
  used: boolean;
  idleSince: number;
  /** Of the visitor's network, and how many streams of this connection were broken off, or not. */
  readonly count: BrokenCount | null;
  broken: number;
  whole: number;
};

/** A proxy's resets are those of all of its visitors. */
function optionsFor(count: BrokenCount | null): SecureServerOptions {
  if (count === null) return PROXY_OPTIONS;
  return isSuspect(count) ? SUSPECT_OPTIONS : HTTP2_OPTIONS;
}

const HTTP2_OPTIONS: SecureServerOptions = {
  settings: {
    // DESIGN 3. A browser opens about as many.
    maxConcurrentStreams: 128,
    // WebSocket (RFC 8441).
    enableConnectProtocol: true,
    // Beyond what the guard allows, so that a browser full of cookies gets a page that says so rather than a
    // reset. Only one head of a connection arrives at a time, and no more than nine frames of it.
    maxHeaderListSize: 8 * MAX_HEADER_CHARACTERS,
    // What a paused upload may leave in memory; with the round trip of another continent still some MB a
    // second.
    initialWindowSize: 256 * 1024,
  },
  // Browsers send each cookie as a field of its own (RFC 9113 section 8.2.3), and keep 180 for a site, some
  // keep more.
  maxHeaderListPairs: MAX_HEADERS + 1_000,
  // Rapid resets (CVE-2023-44487): a person who leaves a page resets a few dozen at once, not a thousand.
  // Over all connections of a visitor they are counted by `broken-streams.ts`.
  streamResetBurst: 500,
  streamResetRate: 33,
};
const PROXY_OPTIONS: SecureServerOptions = {
  ...HTTP2_OPTIONS,
  streamResetBurst: Number.MAX_SAFE_INTEGER,
  streamResetRate: Number.MAX_SAFE_INTEGER,
};
/** More than a person who looks at a page breaks off; each connection costs its maker a handshake, too. */
const FEW_BROKEN = 20;
const SUSPECT_OPTIONS: SecureServerOptions = {
  ...HTTP2_OPTIONS,
  streamResetBurst: FEW_BROKEN,
  streamResetRate: 1,
};
/** One that it will leave, and one that it leaves (RFC 9113 section 6.8); nobody needs more. */
const MAX_GOODBYES = 10;
/** DESIGN 3: HTTP/2 has a header deadline of its own. */
const FIRST_STREAM_MS = 10_000;
/** As for idle HTTP/1.1 connections. */
const IDLE_MS = 75_000;
const SWEEP_MS = 1_000;
