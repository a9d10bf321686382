// The tunnels that agents opened to one worker, by share: takes them in, chooses the emptiest for a request,
// and answers at once when there is none (DESIGN "Tunnel"). Who may serve a share was decided before a socket
// comes here.

import type { Duplex } from 'node:stream';
import type { HeldCertificate } from '../domain/client-certificate.ts';
import type { ApiKeyId, MemberId, ShareId } from '../domain/id.ts';
import { ServiceError } from '../domain/service-error.ts';
import { EdgeTunnel } from './edge-tunnel.ts';
import type { CarriedExchange, CarriedHandlers, CarriedRequest } from './exchange.ts';
import type { PingTimes } from './pings.ts';
import { isRepeatable, RepeatableExchange } from './repeatable-exchange.ts';
import { TunnelError } from './tunnel-error.ts';
import { UnreadBudget, type UnreadLimits } from './unread.ts';

export type Edge = {
  /** The socket is the edge's from now on. A former tunnel of the same agent for this share is drained. */
  readonly accept: (socket: Duplex, from: AgentConnection) => void;
  readonly exchange: (
    shareId: ShareId,
    request: CarriedRequest,
    handlers: CarriedHandlers,
  ) => CarriedExchange;
  /** Ends the tunnels that are not to be kept. */
  readonly retain: (keep: (connection: AgentConnection) => boolean) => void;
  /** How many tunnels, ready or not, are such. */
  readonly count: (is: (connection: AgentConnection) => boolean) => number;
  /** `ready`: tunnels that take requests now; `shares`: those with at least one of them. */
  readonly counts: () => {
    readonly tunnels: number;
    readonly ready: number;
    readonly shares: number;
    readonly streams: number;
  };
  /** No new requests: tunnels end with their last one. */
  readonly drain: () => void;
  readonly close: () => void;
};

export type AgentConnection = {
  readonly shareId: ShareId;
  readonly agentId: string;
  /** The API key that it came with, or whoever allowed its certificate. */
  readonly keyId: ApiKeyId | MemberId;
  /** Null for an agent without a key. */
  readonly keyHash: string | null;
  readonly certificate: HeldCertificate | null;
  /** Null for one that does not expire. */
  readonly keyExpiresAt: number | null;
};

export type EdgeOptions = {
  readonly unread?: Partial<UnreadLimits>;
  /** Whose shares have one part of what the process may hold unread; each share its own unless said. */
  readonly accountOf?: (shareId: ShareId) => string | null;
  readonly pings?: Partial<PingTimes>;
};

/** One for each worker. */
export function createEdge(options: EdgeOptions = {}): Edge {
  const budget = new UnreadBudget(options.unread);
  const byShare = new Map<ShareId, Set<Held>>();
  const all = new Set<Held>();
  let draining = false;
  let closed = false;

  const accept = (socket: Duplex, from: AgentConnection) => {
    socket.on('error', () => socket.destroy());
    if (closed) return void socket.destroy();
    const leave = () => {
      const ofShare = byShare.get(from.shareId);
      if (ofShare?.delete(held) === true && ofShare.size === 0) byShare.delete(from.shareId);
    };
    const tunnel = new EdgeTunnel(socket, {
      budget,
      owner: options.accountOf?.(from.shareId) ?? from.shareId,
      ...(options.pings === undefined ? {} : { pings: options.pings }),
      onReady: () => {
        const ofShare = byShare.get(from.shareId) ?? new Set();
        for (const former of ofShare) if (former.from.agentId === from.agentId) former.tunnel.drain();
        byShare.set(from.shareId, ofShare.add(held));
        makeRoom(ofShare);
        if (draining) tunnel.drain();
      },
      onLeaving: leave,
      onClosed: () => all.delete(held),
    });
    const held: Held = { tunnel, from };
    all.add(held);
  };

  const send: Send = (shareId, request, handlers) => {
    const tunnels = byShare.get(shareId);
    if (tunnels === undefined) return later(handlers, agentAway());
    const tunnel = emptiest(tunnels);
    if (tunnel === null) return later(handlers, someLive(tunnels) ? agentBusy() : agentAway());
    try {
      // One that opened no stream has left: each turn has a tunnel less to choose from.
      return tunnel.exchange(request, handlers) ?? send(shareId, request, handlers);
    } catch (cause) {
      return later(handlers, new TunnelError('protocol', 'Cannot send a request through a tunnel', cause));
    }
  };

  return {
    accept,
    exchange: (shareId, request, handlers) =>
      isRepeatable(request)
        ? new RepeatableExchange((repeating) => send(shareId, request, repeating), handlers)
        : send(shareId, request, handlers),
    retain: (keep) => {
      for (const { from, tunnel } of all) if (!keep(from)) tunnel.destroy();
    },
    count: (is) => Array.from(all).filter(({ from }) => is(from)).length,
    counts: () => ({
      tunnels: all.size,
      ready: Array.from(byShare.values()).reduce((sum, ofShare) => sum + ofShare.size, 0),
      shares: byShare.size,
      streams: Array.from(all, ({ tunnel }) => tunnel.open).reduce((sum, open) => sum + open, 0),
    }),
    drain: () => {
      draining = true;
      for (const { tunnel } of all) tunnel.drain();
    },
    close: () => {
      closed = true;
      for (const { tunnel } of all) tunnel.destroy();
    },
  };
}

type Held = { readonly tunnel: EdgeTunnel; readonly from: AgentConnection };
type Send = (shareId: ShareId, request: CarriedRequest, handlers: CarriedHandlers) => CarriedExchange;

/** The one with the fewest requests under way, of those with room. */
function emptiest(tunnels: ReadonlySet<Held>): EdgeTunnel | null {
  let best: EdgeTunnel | null = null;
  for (const { tunnel } of tunnels)
    if (tunnel.room > 0 && (best === null || tunnel.open < best.open)) best = tunnel;
  return best;
}

function someLive(tunnels: ReadonlySet<Held>): boolean {
  for (const { tunnel } of tunnels) if (tunnel.lives) return true;
  return false;
}

/** The longest held goes: an agent that lost count of its connections gets a fresh one. */
function makeRoom(ofShare: ReadonlySet<Held>): void {
  if (ofShare.size <= MAX_TUNNELS_OF_SHARE) return;
  for (const { tunnel } of ofShare) {
    tunnel.drain();
    return;
  }
}

/** An exchange that never was; its handlers hear of it once the caller has it. */
function later(handlers: CarriedHandlers, error: TunnelError): CarriedExchange {
  let over = false;
  process.nextTick(() => {
    if (!over) handlers.onError(error);
  });
  return {
    write: () => true,
    end: nothing,
    resume: nothing,
    abort: () => {
      over = true;
    },
  };
}

function nothing(): void {}

function agentAway(): TunnelError {
  const cause = new ServiceError('agent_away', 'Cannot forward a request: no agent serves this share');
  return new TunnelError('connect_failed', cause.message, cause);
}

function agentBusy(): TunnelError {
  const cause = new ServiceError('agent_busy', 'Cannot forward a request: its agents take no more at once');
  return new TunnelError('busy', cause.message, cause);
}

/** More agents than a share is worth balancing over, and a bound for one that connects in a loop. */
const MAX_TUNNELS_OF_SHARE = 32;
