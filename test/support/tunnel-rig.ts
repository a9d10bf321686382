// An edge and agents in this process, joined by real sockets, and requests through them, collected.

import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { newId, type ShareId } from '../../src/domain/id.ts';
import type { Upstream } from '../../src/gateway/upstream/upstream.ts';
import type { UpstreamOrigin } from '../../src/gateway/upstream/upstream-request.ts';
import { serveTunnel, type AgentSession, type ServedRequest } from '../../src/tunnel/agent-session.ts';
import { createEdge, type Edge, type EdgeOptions } from '../../src/tunnel/edge.ts';
import { parseLocalTarget } from '../../src/tunnel/local-target.ts';
import { UnreadBudget } from '../../src/tunnel/unread.ts';
import { call, type Call, type CallPlan } from './upstream-call.ts';
import { until } from './until.ts';

export type TunnelRig = {
  readonly edge: Edge;
  readonly shareId: ShareId;
  /** Requests that agents served, in the order they were over. */
  readonly served: readonly ServedRequest[];
  /** Another agent for the share; resolves once the edge uses it. */
  readonly join: (target: string) => Promise<{ readonly session: AgentSession; readonly socket: Socket }>;
  /** A socket whose other end the edge holds as an agent's. */
  readonly hostileAgent: () => Promise<Socket>;
  readonly call: (plan?: CallPlan) => Call;
  readonly [Symbol.asyncDispose]: () => Promise<void>;
};

export async function startTunnelRig(options: EdgeOptions = {}): Promise<TunnelRig> {
  const edge = createEdge(options);
  const shareId = newId('shr');
  const served: ServedRequest[] = [];
  const budget = new UnreadBudget();
  const closers: (() => void)[] = [];
  let agents = 0;
  // As the gate's own connections are.
  const server = createServer({ allowHalfOpen: true }, (socket) =>
    edge.accept(socket, {
      shareId,
      agentId: `agent-${++agents}`,
      keyId: newId('key'),
      keyHash: '',
      certificate: null,
      keyExpiresAt: null,
    }),
  );
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const dial = async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    await once(socket, 'connect');
    closers.push(() => socket.destroy());
    return socket;
  };
  const upstream = carriedBy(edge, shareId);
  return {
    edge,
    shareId,
    served,
    async join(text) {
      const target = parseLocalTarget(text);
      closers.push(() => target.close());
      const socket = await dial();
      const session = serveTunnel(socket, {
        target,
        budget,
        onRequest: (request) => served.push(request),
      });
      // The edge's settings come behind its preface, once it has read ours and counts the tunnel in.
      const before = edge.counts().ready;
      await until(() => edge.counts().ready !== before);
      return { session, socket };
    },
    hostileAgent: dial,
    call: (plan) => call(upstream, NOWHERE, plan),
    async [Symbol.asyncDispose]() {
      edge.close();
      for (const close of closers) close();
      server.close();
      await once(server, 'close');
    },
  };
}

/** The edge as what carries requests to one share. */
function carriedBy(edge: Edge, shareId: ShareId): Upstream {
  return {
    exchange: (_origin, request, handlers) => edge.exchange(shareId, request, handlers),
    counts: () => ({ active: edge.counts().streams, idle: 0, waiting: 0 }),
    close: () => edge.close(),
  };
}

const NOWHERE: UpstreamOrigin = {
  key: 'tunnel',
  dial: () => {
    throw new Error('a tunnel is not dialled');
  },
};
