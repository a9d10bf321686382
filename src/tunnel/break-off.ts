// Ends a connection so that its other end does not take what came for whole: by a reset, where TCP itself
// can say so.

import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/**
 * TLS tells an end that was not announced from one that was (RFC 8446 section 6.1), and a Unix socket knows
 * no reset.
 */
export function breakOff(socket: Duplex): void {
  if (!(socket instanceof Socket) || socket instanceof TLSSocket || !mayReset(socket)) socket.destroy();
  else
    try {
      socket.resetAndDestroy();
    } catch {
      socket.destroy();
    }
}

/**
 * A reset beside an end that is on its way fails, and Node then loses sight of the connection without closing
 * it. Bytes that wait hold the end back.
 */
function mayReset({ connecting, destroyed, writableEnded, writableLength }: Socket): boolean {
  return !connecting && !destroyed && (!writableEnded || writableLength > 0);
}
