// The agent's end of a tunnel to one worker: its control connection, and the connections that it lends when
// the worker wants some.

import type { Duplex } from 'node:stream';
import { Control, type PingTimes } from './control.ts';
import { writeHello } from './hello.ts';
import { Lending } from './lending.ts';
import type { LentBudget } from './lent-budget.ts';
import { MAX_LENT } from './limits.ts';
import type { LocalTarget } from './local-target.ts';
import { readTold, type ServedRequest } from './told.ts';
import { FRAMES, TICKET_BYTES } from './wire.ts';

export type AgentSession = {
  /** Resolves once requests may come; never for one that is over before. */
  readonly ready: Promise<void>;
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
  readonly budget: LentBudget;
  /** Null when nobody watches. */
  readonly onRequest: ((request: ServedRequest) => void) | null;
  /** Opens one connection to that worker for each of its tickets. */
  readonly raise: (tickets: readonly string[], session: Lender) => void;
  readonly pings?: Partial<PingTimes>;
};

/** Who takes the connections that were raised for it. */
export type Lender = {
  readonly lend: (socket: Duplex, ticket: string) => void;
  /** One of its tickets was of no use. */
  readonly expired: () => void;
  readonly isOver: () => boolean;
};

/** The socket is the session's from now on. */
export function serveTunnel(socket: Duplex, options: AgentSessionOptions): AgentSession {
  const { target, budget, onRequest } = options;
  const closed = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<void>();
  const left = Promise.withResolvers<void>();
  /** By their tickets. */
  const lent = new Map<string, Lending>();
  /** Connections that were asked for and did not come yet. */
  let wanted = 0;
  let leaving = false;
  let over = false;
  const leave = () => {
    leaving = true;
    left.resolve();
  };
  const lender: Lender = {
    isOver: () => over,
    expired: () => {
      wanted -= 1;
    },
    lend: (raised, ticket) => {
      wanted -= 1;
      if (over || lent.has(ticket) || !budget.take()) return void raised.destroy();
      const lending = new Lending(raised, target, {
        onEnded: () => control.send(FRAMES.ended, Buffer.from(ticket, 'base64url')),
        onClosed: () => {
          lent.delete(ticket);
          budget.give();
        },
      });
      lent.set(ticket, lending);
    },
  };
  const asked = (tickets: Buffer): boolean => {
    if (tickets.byteLength === 0 || tickets.byteLength % TICKET_BYTES !== 0) return false;
    const room = Math.min(MAX_LENT - lent.size - wanted, tickets.byteLength / TICKET_BYTES);
    if (room <= 0) return true;
    wanted += room;
    options.raise(ticketsIn(tickets.subarray(0, room * TICKET_BYTES)), lender);
    return true;
  };
  const gatewayClosed = (tickets: Buffer): boolean => {
    if (tickets.byteLength % TICKET_BYTES !== 0) return false;
    for (const ticket of ticketsIn(tickets)) lent.get(ticket)?.gatewayClosed();
    return true;
  };
  const told = (payload: Buffer): boolean => {
    const requests = readTold(payload);
    if (requests === null || onRequest === null) return false;
    requests.forEach(onRequest);
    return true;
  };
  const control = new Control(socket, {
    ...(options.pings === undefined ? {} : { pings: options.pings }),
    onFrame: (type, payload) => {
      switch (type) {
        case FRAMES.ready:
          ready.resolve();
          return true;
        case FRAMES.lend:
          return asked(payload);
        case FRAMES.closed:
          return gatewayClosed(payload);
        case FRAMES.told:
          return told(payload);
        case FRAMES.leave:
          leave();
          return true;
        default:
          return type === FRAMES.ping || type === FRAMES.pong;
      }
    },
    onClosed: () => {
      over = true;
      leave();
      for (const lending of lent.values()) lending.destroy();
      closed.resolve();
    },
  });
  control.send(FRAMES.hello, writeHello({ host: target.host, watches: onRequest !== null }));
  return {
    ready: ready.promise,
    left: left.promise,
    closed: closed.promise,
    drain: () => {
      if (!leaving) control.send(FRAMES.leave);
      leave();
      return closed.promise;
    },
    destroy: () => control.destroy(),
  };
}

function ticketsIn(payload: Buffer): readonly string[] {
  return Array.from({ length: payload.byteLength / TICKET_BYTES }, (_none, index) =>
    payload.toString('base64url', index * TICKET_BYTES, (index + 1) * TICKET_BYTES),
  );
}
