// The load generator, a process of its own: one job by message, one answer, then it waits for its end.

import type { Found, Job } from './load/job.ts';
import { loadDownload } from './load/download.ts';
import { loadHandshakes } from './load/handshakes.ts';
import { loadHttp1 } from './load/http1.ts';
import { loadHttp2 } from './load/http2.ts';
import { loadPaced } from './load/paced.ts';
import { loadSockets } from './load/sockets.ts';

process.on('message', (job: Job) => {
  run(job)
    .then((found) => process.send?.({ found }))
    .catch((error: unknown) => process.send?.({ error: String(error) }));
});
process.on('disconnect', () => process.exit(0));

function run(job: Job): Promise<Found> {
  switch (job.kind) {
    case 'http1':
      return loadHttp1(job);
    case 'http2':
      return loadHttp2(job);
    case 'handshakes':
      return loadHandshakes(job);
    case 'paced':
      return loadPaced(job);
    case 'download':
      return loadDownload(job);
    case 'sockets':
      return loadSockets(job);
  }
}
