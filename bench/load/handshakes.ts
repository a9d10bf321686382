// Closed loop of new TLS connections: each a whole handshake, with a client certificate or without, one
// request and its answer.

import { connect } from 'node:tls';
import { foundOf, type Found, type Job } from './job.ts';

export async function loadHandshakes(job: Extract<Job, { kind: 'handshakes' }>): Promise<Found> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  let asked = 0;
  let failures = 0;
  const shakeHands = (): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sentAt = performance.now();
    let answer = '';
    const socket = connect({
      port: job.port,
      host: '127.0.0.1',
      servername: job.servername,
      ca: job.ca,
      ALPNProtocols: ['http/1.1'],
      // Without ML-KEM, which the peers' OpenSSL may not know: all make the same handshake.
      ecdhCurve: 'X25519:P-256',
      ...(job.pair === null ? {} : { cert: job.pair.certificate, key: job.pair.key }),
    });
    socket.on('secureConnect', () => socket.write(job.request, 'latin1'));
    socket.on('data', (piece: Buffer) => (answer += piece.toString('latin1')));
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (answer.startsWith('HTTP/1.1 200 ')) latencies.push(performance.now() - sentAt);
      else failures++;
      resolve();
    });
    return promise;
  };
  const run = async (): Promise<void> => {
    while (asked < job.count && performance.now() - startedAt < job.limitMs) {
      asked++;
      await shakeHands();
    }
  };
  await Promise.all(Array.from({ length: job.connections }, run));
  return foundOf(latencies, { failures, ms: performance.now() - startedAt, bytes: 0 });
}
