// Closed loop over HTTP/2 and TLS: `streams` requests under way on four connections. Node's own client: what
// it costs is not measured.

import { connect, type ClientHttp2Session } from 'node:http2';
import { connect as connectTls } from 'node:tls';
import { once } from 'node:events';
import { foundOf, type Found, type Job } from './job.ts';

export async function loadHttp2(job: Extract<Job, { kind: 'http2' }>): Promise<Found> {
  const url = new URL(job.url);
  const sessions = await Promise.all(Array.from({ length: CONNECTIONS }, () => open(url, job.ca)));
  const latencies: number[] = [];
  const startedAt = performance.now();
  let asked = 0;
  let failures = 0;
  let bytes = 0;
  const one = (session: ClientHttp2Session, cookie: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sentAt = performance.now();
    let status = 0;
    const stream = session.request({ ':path': url.pathname, ':authority': job.authority, cookie });
    stream.on('response', (headers) => (status = headers[':status'] ?? 0));
    stream.on('data', (piece: Buffer) => (bytes += piece.byteLength));
    stream.on('error', () => undefined);
    stream.on('close', () => {
      if (status === 200) latencies.push(performance.now() - sentAt);
      else failures++;
      resolve();
    });
    return promise;
  };
  const run = async (n: number) => {
    const session = sessions[n % sessions.length];
    const cookie = job.cookies[(n % sessions.length) % job.cookies.length] ?? '';
    if (session === undefined) return;
    while (asked < job.count && performance.now() - startedAt < job.limitMs) {
      asked++;
      await one(session, cookie);
    }
  };
  await Promise.all(Array.from({ length: job.streams }, (_, n) => run(n)));
  const ms = performance.now() - startedAt;
  for (const session of sessions) session.destroy();
  return foundOf(latencies, { failures, ms, bytes });
}

async function open(url: URL, ca: string): Promise<ClientHttp2Session> {
  const session = connect(url.origin, {
    createConnection: () =>
      connectTls({
        port: Number(url.port),
        host: '127.0.0.1',
        servername: url.hostname,
        ca,
        ALPNProtocols: ['h2'],
      }),
  });
  await once(session, 'connect');
  return session;
}

/** A browser has one; four stand for several visitors. */
const CONNECTIONS = 4;
