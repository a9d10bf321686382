// One large answer, read as fast as it comes.

import { connect } from 'node:net';
import { createAnswerCounter } from './answer-counter.ts';
import { foundOf, type Found, type Job } from './job.ts';

export function loadDownload(job: Extract<Job, { kind: 'download' }>): Promise<Found> {
  const { promise, resolve, reject } = Promise.withResolvers<Found>();
  const counter = createAnswerCounter();
  const startedAt = performance.now();
  // One buffer for all reads: the client's own cost must not hide the proxy's.
  const onread = {
    buffer: Buffer.alloc(256 * 1024),
    callback: (length: number, buffer: Uint8Array) => {
      if (counter.feed(Buffer.from(buffer.buffer, 0, length)) > 0) socket.destroy();
      return true;
    },
  };
  const socket = connect({ port: job.port, host: '127.0.0.1', onread });
  socket.on('error', reject);
  socket.on('close', () => {
    const ms = performance.now() - startedAt;
    const failures = counter.status() === 200 ? 0 : 1;
    resolve(foundOf([ms], { failures, ms, bytes: counter.bodyBytes() }));
  });
  socket.write(job.requests[0] ?? '', 'latin1');
  return promise;
}
