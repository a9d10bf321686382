// Answers TLS-ALPN-01 challenges (RFC 8737 section 3): handshakes that offer `acme-tls/1` and nothing else.
// The certificate is the challenge's alone, and nothing is ever said on such a connection.

import type { Socket } from 'node:net';
import { createServer, createSecureContext, type SecureContext, type Server } from 'node:tls';
import type { PublicCertificates } from './public-certificates.ts';

export const CHALLENGE_PROTOCOL = 'acme-tls/1';

export type ChallengeServer = {
  readonly take: (socket: Socket) => void;
  readonly close: () => void;
};

/** Whether a handshake is a challenge's: whoever offers another protocol too is a visitor. */
export function isChallenge(protocols: readonly string[]): boolean {
  return protocols.length === 1 && protocols[0] === CHALLENGE_PROTOCOL;
}

export function createChallengeServer(
  challenge: PublicCertificates['challenge'],
  handshakeDeadlineMs: number,
): ChallengeServer {
  const server: Server = createServer({
    ALPNProtocols: [CHALLENGE_PROTOCOL],
    handshakeTimeout: handshakeDeadlineMs,
    SNICallback: (name, done) => void answer(challenge, name.toLowerCase(), done),
  });
  // Whoever stays is not waited for.
  server.on('secureConnection', (socket) => socket.on('error', () => socket.destroy()).destroySoon());
  server.on('tlsClientError', (_error, socket) => socket.destroy());
  return {
    take: (socket) => void server.emit('connection', socket),
    close: () => server.close(),
  };
}

async function answer(
  challenge: PublicCertificates['challenge'],
  name: string,
  done: (error: Error | null, context?: SecureContext) => void,
): Promise<void> {
  try {
    const material = await challenge(name);
    if (material === null) throw new Error('no challenge waits there');
    done(null, createSecureContext({ cert: material.certificate, key: material.key }));
  } catch (error) {
    done(error instanceof Error ? error : new Error('the challenge cannot be looked up'));
  }
}
