// Open loop over HTTP/1.1: requests are due by the clock, whether or not answers came, so that a stall shows
// in every request that was due in it.

import { once } from 'node:events';
import { connect } from 'node:net';
import { createAnswerCounter } from './answer-counter.ts';
import { foundOf, type Found, type Job } from './job.ts';

type Client = { readonly ask: (dueAt: number) => void; readonly end: () => void };

export async function loadPaced(job: Extract<Job, { kind: 'paced' }>): Promise<Found> {
  const latencies: number[] = [];
  const waiting: number[] = [];
  const free: Client[] = [];
  let failures = 0;
  let bytes = 0;
  const open = async (request: string): Promise<Client> => {
    const counter = createAnswerCounter();
    let dueAt = 0;
    const socket = connect({ port: job.port, host: '127.0.0.1', noDelay: true });
    await once(socket, 'connect');
    const client: Client = {
      ask: (at) => {
        dueAt = at;
        socket.write(request, 'latin1');
      },
      end: () => socket.destroy(),
    };
    socket.on('error', () => failures++);
    socket.on('data', (piece: Buffer) => {
      bytes += piece.byteLength;
      if (counter.feed(piece) === 0) return;
      if (counter.status() === 200) latencies.push(performance.now() - dueAt);
      else failures++;
      const next = waiting.shift();
      if (next === undefined) free.push(client);
      else client.ask(next);
    });
    return client;
  };
  const clients = await Promise.all(
    Array.from({ length: job.connections }, (_, n) => open(job.requests[n % job.requests.length] ?? '')),
  );
  free.push(...clients);
  const startedAt = performance.now();
  let due = 0;
  for (let now = startedAt; now - startedAt < job.durationMs; now = performance.now()) {
    const wanted = Math.floor(((now - startedAt) / 1000) * job.perSecond);
    for (; due < wanted; due++) {
      const client = free.pop();
      if (client === undefined) waiting.push(now);
      else client.ask(now);
    }
    await tick();
  }
  const ms = performance.now() - startedAt;
  await settled(() => latencies.length + failures >= due);
  for (const client of clients) client.end();
  return foundOf(latencies, { failures: due - latencies.length, ms, bytes });
}

async function settled(done: () => boolean): Promise<void> {
  const deadline = performance.now() + SETTLE_MS;
  while (!done() && performance.now() < deadline) await tick();
}

/** The finest that timers give: requests are due in small groups, once a millisecond. */
function tick(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 1));
}

const SETTLE_MS = 2_000;
