// An edge and agents in this process, joined by real sockets, and requests through them, collected.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { newId, type ShareId } from '../../src/domain/id.ts';
import { tunnelKey, tunnelTo } from '../../src/gateway/tunnel-way.ts';
import { createUpstream, type Upstream } from '../../src/gateway/upstream/upstream.ts';
import type { UpstreamOrigin } from '../../src/gateway/upstream/upstream-request.ts';
import { serveTunnel, type AgentSession } from '../../src/tunnel/agent-session.ts';
import { createEdge, type Edge, type EdgeOptions } from '../../src/tunnel/edge.ts';
import { LentBudget } from '../../src/tunnel/lent-budget.ts';
import { type LocalTarget, parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { Raising } from '../../src/tunnel/raising.ts';
import type { ServedRequest } from '../../src/tunnel/told.ts';
import { call, type Call, type CallPlan } from './upstream-call.ts';
import { until } from './until.ts';

export type TunnelRig = {
  readonly edge: Edge;
  readonly shareId: ShareId;
  /** Requests that agents were told of, in the order they were over. */
  readonly served: readonly ServedRequest[];
  /** Requests under way. */
  readonly active: () => number;
  /** Another agent for the share; resolves once the edge uses it. */
  readonly join: (
    target: string | LocalTarget,
  ) => Promise<{ readonly session: AgentSession; readonly socket: Socket }>;
  /** A socket whose other end the edge holds as an agent's. */
  readonly hostileAgent: () => Promise<Socket>;
  /** A socket that shows a ticket, as a lent connection; null when none is the edge's. */
  readonly lend: (ticket: string) => Promise<Socket | null>;
  readonly call: (plan?: CallPlan) => Call;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

export async function startTunnelRig(options: EdgeOptions = {}): Promise<TunnelRig> {
  const upstream = createUpstream();
  const edge = createEdge({ onLeaving: (id) => upstream.prune(tunnelKey(id)), ...options });
  const shareId = newId('shr');
  const served: ServedRequest[] = [];
  const budget = new LentBudget();
  const stopped = new AbortController();
  const closers: (() => void)[] = [() => stopped.abort()];
  let agents = 0;
  // As the gate's own connections are.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', (word: Buffer) => {
      socket.pause();
      const isControl = word.subarray(0, 1).toString() === CONTROL;
      const rest = word.subarray(isControl ? 1 : TICKET_CHARACTERS);
      if (rest.byteLength > 0) socket.unshift(rest);
      if (isControl) accept(socket);
      else {
        const claim = edge.claim([word.toString('latin1', 1, TICKET_CHARACTERS)]);
        if (claim === null) return void socket.end(REFUSED, () => socket.destroy());
        socket.write(TAKEN);
        claim.adopt(socket);
      }
    });
  });
  const accept = (socket: Socket) =>
    edge.accept(socket, {
      shareId,
      agentId: `agent-${++agents}`,
      keyId: newId('key'),
      keyHash: '',
      certificate: null,
      keyExpiresAt: null,
    });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dial = async (word: string) => {
    const socket = connect({
      port: (server.address() as AddressInfo).port,
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
    socket.on('error', () => socket.destroy());
    await once(socket, 'connect');
    closers.push(() => socket.destroy());
    socket.write(word);
    return socket;
  };
  const lend = async (ticket: string) => {
    const socket = await dial(`${LENT}${ticket}`);
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.pause();
    if (answer.subarray(0, 1).toString() === REFUSED) {
      socket.destroy();
      return null;
    }
    if (answer.byteLength > 1) socket.unshift(answer.subarray(1));
    return socket;
  };
  return {
    edge,
    shareId,
    served,
    active: () => upstream.counts().active,
    async join(target) {
      const socket = await dial(CONTROL);
      const raising = new Raising({
        dial: async ([ticket = '']) => {
          const raised = await lend(ticket);
          return raised === null ? null : { socket: raised, taken: ticket };
        },
        signal: stopped.signal,
      });
      const before = edge.counts().ready;
      const session = serveTunnel(socket, {
        target: typeof target === 'string' ? parseLocalTarget(target) : target,
        budget,
        onRequest: (request) => served.push(request),
        raise: (tickets, lender) => raising.raise(tickets, lender),
      });
      closers.push(() => session.destroy());
      await until(() => edge.counts().ready !== before);
      return { session, socket };
    },
    hostileAgent: () => dial(CONTROL),
    lend,
    call: (plan) => call(carriedBy(upstream, edge, shareId), NOWHERE, plan),
    async [Symbol.asyncDispose]() {
      edge.close();
      upstream.close();
      for (const close of closers) close();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The edge as what carries requests to one share. */
function carriedBy(upstream: Upstream, edge: Edge, shareId: ShareId): Upstream {
  const send = tunnelTo({ upstream, edge, shareId, asTarget: false, email: () => null });
  return { ...upstream, exchange: (_origin, request, handlers) => send(request, handlers) };
}

const NOWHERE: UpstreamOrigin = {
  key: 'tunnel',
  dial: () => {
    throw new Error('a tunnel is not dialled');
  },
};
const CONTROL = 'C';
const LENT = 'L';
/** With the word before it. */
const TICKET_CHARACTERS = 1 + 22;
const TAKEN = 'T';
const REFUSED = 'R';
