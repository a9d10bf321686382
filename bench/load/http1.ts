// Closed loop over HTTP/1.1: as many requests under way as there are connections, each answered before the
// next.

import { connect } from 'node:net';
import { createAnswerCounter } from './answer-counter.ts';
import { foundOf, type Found, type Job } from './job.ts';

export async function loadHttp1(job: Extract<Job, { kind: 'http1' }>): Promise<Found> {
  const latencies: number[] = [];
  const startedAt = performance.now();
  let asked = 0;
  let failures = 0;
  let bytes = 0;
  const mayAsk = () => asked < job.count && performance.now() - startedAt < job.limitMs;
  const run = (request: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const counter = createAnswerCounter();
    let sentAt = 0;
    const socket = connect({ port: job.port, host: '127.0.0.1', noDelay: true });
    const ask = () => {
      if (!mayAsk()) return void socket.end();
      const text = job.inTurn === true ? job.requests[asked % job.requests.length] : request;
      asked++;
      sentAt = performance.now();
      socket.write(text ?? '', 'latin1');
    };
    socket.on('connect', ask);
    socket.on('data', (piece: Buffer) => {
      bytes += piece.byteLength;
      if (counter.feed(piece) === 0) return;
      if (counter.status() === 200) latencies.push(performance.now() - sentAt);
      else failures++;
      ask();
    });
    socket.on('error', () => failures++);
    socket.on('close', () => resolve());
    return promise;
  };
  const clients = Array.from({ length: job.connections }, (_, n) =>
    run(job.requests[n % job.requests.length] ?? ''),
  );
  await Promise.all(clients);
  return foundOf(latencies, { failures, ms: performance.now() - startedAt, bytes });
}
