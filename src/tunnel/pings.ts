// Both ends ask each other whether they are still there: a network that drops everything says nothing (RFC
// 9113 section 6.7).

import type { Http2Session } from 'node:http2';
import type { Duplex } from 'node:stream';

export type PingTimes = { readonly everyMs: number; readonly answerMs: number };

/** Breaks the session off when a ping stays unanswered. Returns how to stop. */
export function keepPinging(
  session: Http2Session,
  socket: Duplex,
  times: Partial<PingTimes> = {},
): () => void {
  const { everyMs, answerMs } = { ...PING_TIMES, ...times };
  let deadline: NodeJS.Timeout | null = null;
  const ping = () => {
    // One that ended waits for the other end to close the socket, too: a time is enough.
    if (session.destroyed) return breakOff(session, socket);
    if (deadline !== null) return;
    deadline = setTimeout(() => breakOff(session, socket), answerMs);
    const asked = session.ping((error) => {
      if (deadline !== null) clearTimeout(deadline);
      deadline = null;
      if (error !== null) breakOff(session, socket);
    });
    if (!asked) breakOff(session, socket);
  };
  const timer = setInterval(ping, everyMs);
  return () => {
    clearInterval(timer);
    if (deadline !== null) clearTimeout(deadline);
  };
}

/**
 * Ends a session now. By itself, one that is destroyed waits until its last write is done, which may take TCP
 * a quarter of an hour, and one that ended well waits for the other end to close the socket.
 */
export function breakOff(session: Http2Session, socket: Duplex): void {
  session.destroy();
  socket.destroy();
}

/**
 * Short enough that a share is known to be away within half a minute, and well below the minute of idle
 * balancers.
 */
const PING_TIMES: PingTimes = { everyMs: 15_000, answerMs: 10_000 };
