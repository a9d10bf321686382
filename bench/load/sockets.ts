// Upgraded connections that are opened and then silent, as many tabs and dashboards are. They stay until the
// process is ended.

import { connect, type Socket } from 'node:net';
import { createAnswerCounter } from './answer-counter.ts';
import { foundOf, type Found, type Job } from './job.ts';

export async function loadSockets(job: Extract<Job, { kind: 'sockets' }>): Promise<Found> {
  const startedAt = performance.now();
  const latencies: number[] = [];
  let failures = 0;
  let asked = 0;
  const one = (request: string): Promise<void> => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const sentAt = performance.now();
    const counter = createAnswerCounter();
    const socket: Socket = connect({ port: job.port, host: '127.0.0.1' });
    held.add(socket);
    socket.on('connect', () => socket.write(request, 'latin1'));
    socket.on('data', (piece: Buffer) => {
      counter.feed(piece);
      if (counter.status() === 101) latencies.push(performance.now() - sentAt);
      else failures++;
      resolve();
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      if (counter.status() === 0) failures++;
      resolve();
    });
    return promise;
  };
  const run = async () => {
    while (asked < job.count) await one(job.requests[asked++ % job.requests.length] ?? '');
  };
  await Promise.all(Array.from({ length: AT_ONCE }, run));
  return foundOf(latencies, { failures, ms: performance.now() - startedAt, bytes: 0 });
}

const held = new Set<Socket>();
const AT_ONCE = 64;
