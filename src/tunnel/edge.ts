// The agents at one worker, by share: takes them in, chooses the one with the least to do when a connection
// to a share's target is wanted, and another when that one cannot reach it (DESIGN "Tunnel"). Who may serve
// a share was decided before a socket comes here.

import type { Duplex } from 'node:stream';
import type { AccountId, ShareId } from '../domain/id.ts';
import type { AgentConnection } from './agent-connection.ts';
import type { PingTimes } from './control.ts';
import { EdgeAgent, hashOf } from './edge-agent.ts';
import type { Lent } from './lent.ts';
import { MAX_AGENTS_OF_SHARE, MAX_SPARES_OF_ACCOUNT } from './limits.ts';
import { SpareRoom } from './spares.ts';
import type { ServedRequest } from './told.ts';
import { agentAway, agentBusy, agentSlow, TunnelFault } from './tunnel-fault.ts';

export type Edge = {
  /** The socket is the edge's from now on. The agent's former connection for this share is drained. */
  readonly accept: (socket: Duplex, from: AgentConnection) => void;
  /** Uses one of the tickets up, and tells what is to be done with the socket; null when none counts here. */
  readonly claim: (tickets: readonly string[]) => Claim | null;
  /**
   * A connection to the share's target, through whichever agent has one, paused. `isWanted`: whoever asked is
   * still there. Rejects with what the visitor is to be told, or why no agent reaches the target.
   */
  readonly dial: (shareId: ShareId, isWanted: () => boolean) => Promise<Duplex>;
  /** Whether its agent takes requests still. */
  readonly keeps: (socket: Duplex) => boolean;
  /** Whether the target ended it in order; see `Lent`. */
  readonly endedWell: (socket: Duplex) => Promise<boolean>;
  /** The target as its agent names it in a Host header. */
  readonly hostOf: (socket: Duplex) => string | null;
  /** Whether somebody watches the share's requests at an agent's. */
  readonly isWatched: (shareId: ShareId) => boolean;
  /** For the agent whose connection it was; for all of the share's when it came to none. */
  readonly tell: (where: Duplex | ShareId, request: ServedRequest) => void;
  /** Ends the agents that are not to be kept, and all that they lent. */
  readonly retain: (keep: (connection: AgentConnection) => boolean) => void;
  /** How many agents, ready or not, are such. */
  readonly count: (is: (connection: AgentConnection) => boolean) => number;
  /** `ready`: agents that take requests now; `shares`: those with at least one of them. */
  readonly counts: () => { readonly tunnels: number; readonly ready: number; readonly shares: number };
  /** How many requests wait for a connection. */
  readonly waiting: () => number;
  readonly close: () => void;
};

export type Claim = { readonly ticket: string; readonly adopt: (socket: Duplex) => void };

export type EdgeOptions = {
  /** An agent of the share is leaving: what is kept of its connections is of no use. */
  readonly onLeaving?: (shareId: ShareId) => void;
  /** Whose a share is; a share stands for itself where nobody knows. */
  readonly accountOf?: (shareId: ShareId) => AccountId | null;
  readonly mostSparesOfAccount?: number;
  readonly pings?: Partial<PingTimes>;
};

/** One for each worker. */
export function createEdge(options: EdgeOptions = {}): Edge {
  const { mostSparesOfAccount = MAX_SPARES_OF_ACCOUNT } = options;
  const byShare = new Map<ShareId, Set<EdgeAgent>>();
  const all = new Set<EdgeAgent>();
  const tickets = new Map<string, EdgeAgent>();
  const rooms = new Map<AccountId | ShareId, { readonly room: SpareRoom; agents: number }>();
  const lentBy = new WeakMap<Duplex, { readonly agent: EdgeAgent; readonly lent: Lent }>();
  let closed = false;

  const accept = (socket: Duplex, from: AgentConnection) => {
    socket.on('error', () => socket.destroy());
    if (closed || socket.destroyed) return void socket.destroy();
    const owner = options.accountOf?.(from.shareId) ?? from.shareId;
    const held = rooms.get(owner) ?? { room: new SpareRoom(mostSparesOfAccount), agents: 0 };
    rooms.set(owner, held);
    held.agents += 1;
    const agent = new EdgeAgent(socket, from, {
      tickets,
      spareRoom: held.room,
      ...(options.pings === undefined ? {} : { pings: options.pings }),
      onReady: () => {
        const ofShare = byShare.get(from.shareId) ?? new Set();
        for (const former of ofShare) if (former.from.agentId === from.agentId) former.drain();
        byShare.set(from.shareId, ofShare.add(agent));
        makeRoom(ofShare);
      },
      onLeaving: () => {
        const ofShare = byShare.get(from.shareId);
        if (ofShare?.delete(agent) === true && ofShare.size === 0) byShare.delete(from.shareId);
        options.onLeaving?.(from.shareId);
      },
      onClosed: () => {
        all.delete(agent);
        held.agents -= 1;
        if (held.agents === 0) rooms.delete(owner);
      },
    });
    all.add(agent);
  };

  const claim: Edge['claim'] = (shown) => {
    for (const ticket of shown) {
      const hash = hashOf(Buffer.from(ticket, 'base64url'));
      const agent = tickets.get(hash);
      const adopt = agent?.claim(hash) ?? null;
      if (agent === undefined || adopt === null) continue;
      return { ticket, adopt: (socket) => void lentBy.set(socket, { agent, lent: adopt(socket, ticket) }) };
    }
    return null;
  };

  const dial: Edge['dial'] = async (shareId, isWanted) => {
    const tried = new Set<EdgeAgent>();
    let fault: Error | null = null;
    for (;;) {
      const agent = leastBusy(byShare.get(shareId), tried);
      if (agent === null) throw fault ?? (byShare.has(shareId) ? agentBusy() : agentAway());
      tried.add(agent);
      const lent = await agent.take(isWanted, leastBusy(byShare.get(shareId), tried) === null);
      if (!isWanted()) {
        if (lent !== null) agent.putBack(lent);
        throw new TunnelFault('Cannot reach the backend: nobody waits for it any more');
      }
      if (lent === null) {
        fault ??= agent.lives ? agentSlow() : agentAway();
        continue;
      }
      try {
        return await lent.open();
      } catch (error) {
        fault = error as Error;
        // Nothing of the request was sent: that connection is gone, and not its agent.
        if (lent.wasSpare && !lent.refused) tried.delete(agent);
      }
    }
  };

  return {
    accept,
    claim,
    dial,
    keeps: (socket) => lentBy.get(socket)?.agent.lives === true,
    endedWell: async (socket) => (await lentBy.get(socket)?.lent.endedWell()) === true,
    hostOf: (socket) => lentBy.get(socket)?.agent.host ?? null,
    isWatched: (shareId) => {
      for (const { watches } of byShare.get(shareId) ?? []) if (watches) return true;
      return false;
    },
    tell: (where, request) => {
      if (typeof where !== 'string') lentBy.get(where)?.agent.tell(request);
      else for (const agent of byShare.get(where) ?? []) agent.tell(request);
    },
    retain: (keep) => {
      for (const agent of all) if (!keep(agent.from)) agent.destroy();
    },
    count: (is) => Array.from(all).filter(({ from }) => is(from)).length,
    counts: () => ({
      tunnels: all.size,
      ready: Array.from(byShare.values()).reduce((sum, ofShare) => sum + ofShare.size, 0),
      shares: byShare.size,
    }),
    waiting: () => Array.from(all).reduce((sum, agent) => sum + agent.waiting, 0),
    close: () => {
      closed = true;
      for (const agent of all) agent.destroy();
    },
  };
}

function leastBusy(
  agents: ReadonlySet<EdgeAgent> | undefined,
  tried: ReadonlySet<EdgeAgent>,
): EdgeAgent | null {
  let best: EdgeAgent | null = null;
  for (const agent of agents ?? [])
    if (agent.room && !tried.has(agent) && (best === null || agent.load < best.load)) best = agent;
  return best;
}

/** The longest held goes: an agent that lost count of its connections gets a fresh one. */
function makeRoom(ofShare: ReadonlySet<EdgeAgent>): void {
  if (ofShare.size <= MAX_AGENTS_OF_SHARE) return;
  for (const agent of ofShare) {
    agent.drain();
    return;
  }
}
