// The words that an agent and an edge say to each other (DESIGN "Tunnel"): two kinds of connections, both
// opened by the agent, both by an upgrade.
//
//   control  GET /v1/tunnel?share=demo   Upgrade: doorward-tunnel/2   Authorization: Bearer dw_…
//            Doorward-Agent: <who>       Doorward-Workers-Held: <those it has a connection to>
//   edge     101                         Doorward-Worker: <which took it>   Doorward-Workers: <how many there are>
//            409 with the same headers   when that worker is among those held: ask again, the next may be another
//   then     frames both ways (`frames.ts`)
//
//   lent     GET /v1/tunnel              Upgrade: doorward-tunnel/2   Doorward-Tickets: <one of each worker that wants a connection>
//   edge     101                         Doorward-Ticket: <which of them it took>
//            421                         none of them is this worker's: ask again
//   then     the edge says one byte, OPEN, when it wants the target; the agent answers one byte, OPENED or why not;
//            behind OPENED all bytes are the target's own connection

export const TUNNEL_PROTOCOL = 'doorward-tunnel/2';
export const TUNNEL_PATH = '/v1/tunnel';

/** Of whatever version. */
export function isTunnelProtocol(upgrade: string | null | undefined): boolean {
  return upgrade?.startsWith('doorward-tunnel/') === true;
}

/**
 * A random name that an agent keeps while it runs: its new connection to a worker replaces its old one there.
 */
export const AGENT_HEADER = 'doorward-agent';
/** Workers that the agent holds a connection to, separated by commas. */
export const HELD_HEADER = 'doorward-workers-held';
export const WORKER_HEADER = 'doorward-worker';
export const WORKER_COUNT_HEADER = 'doorward-workers';
export const TICKETS_HEADER = 'doorward-tickets';
export const TICKET_HEADER = 'doorward-ticket';

/** What a frame is; see `frames.ts` for how it is written. */
export const FRAMES = {
  /** Agent: a JSON `Hello`, first of all. */
  hello: 1,
  /** Edge: requests may come from now on. */
  ready: 2,
  /** Edge: connections are wanted, one for each ticket, of `TICKET_BYTES` each. */
  lend: 3,
  /** Either: nothing new from now on. The edge ends the connection once what runs is over. */
  leave: 4,
  /** Either, answered by `pong`. */
  ping: 5,
  pong: 6,
  /** Edge: a JSON list of requests that are over, as `writeTold()` writes them. */
  told: 7,
  /** Agent: the target ended these connections in order, by their tickets; all that it said was passed on. */
  ended: 8,
  /** Edge: it closed these connections, by their tickets; what it wrote before is still on its way. */
  closed: 9,
} as const;

/** On a lent connection. */
export const OPEN = 1;
export const OPENED = 1;
/** Why the target gave no connection. */
export const UNOPENED: ReadonlyMap<number, string> = new Map([
  [2, 'nothing listens there'],
  [3, 'it did not answer in time'],
  [4, 'its name leads nowhere'],
  [5, 'its certificate is not trusted'],
  [6, 'the connection failed'],
]);

export const TICKET_BYTES = 16;

/** Whether a text can name an agent or a worker. */
export function isTunnelName(text: string): boolean {
  return /^[A-Za-z0-9_-]{8,64}$/.test(text);
}
