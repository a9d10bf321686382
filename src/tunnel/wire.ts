// The words that an agent and an edge say to each other before HTTP/2 begins (DESIGN "Tunnel"). All else is
// HTTP/2 itself.
//
//   agent  GET /v1/tunnel?share=demo   Upgrade: doorward-tunnel/1   Authorization: Bearer dw_…
//          Doorward-Agent: <who>       Doorward-Workers-Held: <those it has a connection to>
//   edge   101                         Doorward-Worker: <which took it>   Doorward-Workers: <how many there are>
//          409 with the same headers   when that worker is among those held: ask again, the next may be another
//   then   the roles turn: the agent serves HTTP/2 on the socket, the edge asks
//   agent  PING with the payload `leaving!`: it takes what is under way, and wants nothing new; GOAWAY once that is acknowledged
//   edge   PING with the payload `worn out`: stream numbers are running out. The agent opens another connection to this worker, which takes
//          new requests in the place of this one; GOAWAY on this one then, or when the numbers end without another

export const TUNNEL_PROTOCOL = 'doorward-tunnel/1';
export const TUNNEL_PATH = '/v1/tunnel';

/**
 * A random name that an agent keeps while it runs: its new connection to a worker replaces its old one there.
 */
export const AGENT_HEADER = 'doorward-agent';
/** Workers that the agent holds a connection to, separated by commas. */
export const HELD_HEADER = 'doorward-workers-held';
export const WORKER_HEADER = 'doorward-worker';
export const WORKER_COUNT_HEADER = 'doorward-workers';

/**
 * Beside a request: the agent is to give its target the target's own host as Host. No visitor can send it,
 * and no target gets it.
 */
export const TARGET_HOST_HEADER = 'doorward-target-host';

/** Eight bytes, as every ping has (RFC 9113 section 6.7). */
export const LEAVING_PING = Buffer.from('leaving!');
export const WORN_PING = Buffer.from('worn out');

/** Whether a text can name an agent or a worker. */
export function isTunnelName(text: string): boolean {
  return /^[A-Za-z0-9_-]{8,64}$/.test(text);
}
