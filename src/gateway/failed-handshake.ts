// A TLS handshake that failed after the client had shown a certificate. OpenSSL ends some by itself, before
// anybody can be told by HTTP (TLS 1.2, and an authority in the chain that has the name of a trusted one, and
// not its key): what is left is to write it down.

import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { type AuditEvent, auditEvent } from '../domain/audit-event.ts';
import type { Share } from '../domain/share.ts';
import { plainAddress } from './forwarding-headers.ts';
import { signerOf } from './presented-certificate.ts';
import type { Authority } from './authority.ts';

export type FailedHandshake = {
  readonly serverName: string | null;
  /** Of the connection: whoever is behind a balancer is not known yet. */
  readonly ip: string | null;
  /** OpenSSL's reason, as Node names it. */
  readonly code: string;
  /** Whether the key of an authority that is trusted signed it. */
  readonly isForeign: boolean;
};

/**
 * Null when it is not TLS that failed, or the client had shown no certificate. To be called before the socket
 * is destroyed.
 */
export function failedHandshake(
  error: Error,
  socket: Duplex,
  authorities: () => readonly Authority[],
): FailedHandshake | null {
  const code = 'code' in error ? String(error.code) : '';
  if (!(socket instanceof TLSSocket) || !code.startsWith('ERR_SSL_')) return null;
  const leaf = socket.getPeerX509Certificate();
  if (leaf === undefined) return null;
  const serverName = typeof socket.servername === 'string' ? socket.servername.toLowerCase() : null;
  return {
    serverName,
    ip: socket.remoteAddress === undefined ? null : plainAddress(socket.remoteAddress),
    code,
    isForeign: signerOf(leaf, authorities()) === undefined,
  };
}

/** What the log says of it, beside `FAILED_HANDSHAKE`. */
export function failedHandshakeFields({ serverName, ip, code, isForeign }: FailedHandshake) {
  return { host: serverName, ip, reason: isForeign ? FOREIGN : 'handshake_failed', code };
}

/** A whole line of the log. */
export function failedHandshakeLine(failed: FailedHandshake, now: number): string {
  const time = new Date(now).toISOString();
  return `${JSON.stringify({ level: 'warn', time, msg: FAILED_HANDSHAKE, ...failedHandshakeFields(failed) })}\n`;
}

/** As for any certificate that is refused; nothing of what it says, since nobody vouches for that. */
export function failedHandshakeEvent({ ip }: FailedHandshake, share: Share, at: number): AuditEvent {
  const { accountId, id: shareId } = share;
  return auditEvent({ kind: 'certificate.refused', at, accountId, shareId, ip, reason: FOREIGN });
}

export const FAILED_HANDSHAKE = 'Cannot finish a TLS handshake with a client certificate';
const FOREIGN = 'certificate_foreign';
