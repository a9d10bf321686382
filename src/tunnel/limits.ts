// The limits of both ends of a tunnel (DESIGN "Tunnel"): what one agent, one gateway and one process may
// hold, so that neither a slow visitor nor a hostile end is felt by anybody else.

/** Lent connections of one agent to one worker: spare, asked for, or in use. */
export const MAX_LENT = 1_000;
/** The same of an agent's process, whatever its gateways ask for. */
export const MAX_LENT_OF_PROCESS = 4_000;
/**
 * Spare ones of all agents of an account at one worker, which takes twenty times as many connections. Those
 * in use have their visitors' limits.
 */
export const MAX_SPARES_OF_ACCOUNT = 1_000;
/** Agents of one share at one worker: more than it is worth balancing over. */
export const MAX_AGENTS_OF_SHARE = 32;
/** Payload of one frame. */
export const MAX_FRAME_BYTES = 64 * 1024;
/** For a frame that has begun. */
export const FRAME_MS = 10_000;
/** For the agent's first frame, once it has the 101. */
export const HELLO_MS = 10_000;
/** How long a ticket can be used: a few handshakes over a slow link. */
export const TICKET_MS = 10_000;
/** What may wait to be written before lines about requests are left out. */
export const MAX_TOLD_BYTES = 1024 * 1024;
/** What may wait to be written on a control connection, whatever it is. */
export const MAX_WAITING_BYTES = 2 * MAX_TOLD_BYTES;
/** Tickets that one request for a lent connection shows: one of each worker. */
export const MAX_TICKETS_SHOWN = 16;
/** A connection that a network in between forgets is no use: both ends keep each lent one alive. */
export const KEEP_ALIVE_MS = 15_000;
