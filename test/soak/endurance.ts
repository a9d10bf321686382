// Hours of ordinary use in one process: pages, uploads, downloads that are given up, WebSockets, logins,
// logouts. Nothing fails, and what the process holds (memory, descriptors) does not grow once it is warm.

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { WebSocket } from 'ws';
import { residentMb } from '../../bench/process-cost.ts';
import { layOutService } from '../support/service-process.ts';
import { startSoakBackend } from './backend.ts';
import { logIn, type Counts, type Crowd, type Person } from './people.ts';

export type Endured = Counts & {
  readonly uploads: number;
  readonly givenUp: number;
  readonly webSockets: number;
  /** Medians of the second and the last quarter. */
  readonly warmMb: number;
  readonly endMb: number;
  readonly warmDescriptors: number;
  readonly endDescriptors: number;
};

type More = { uploads: number; givenUp: number; webSockets: number };

export async function endure(options: {
  readonly people: number;
  readonly minutes: number;
}): Promise<Endured> {
  const backend = await startSoakBackend();
  const service = await layOutService();
  const counts: Counts = { logins: 0, visits: 0, logouts: 0, triedAgain: 0 };
  const more: More = { uploads: 0, givenUp: 0, webSockets: 0 };
  const crowd: Crowd = { service, counts, mayFail: () => false };
  const until = performance.now() + options.minutes * 60_000;
  const stopping = new AbortController();
  const going = () => performance.now() < until && !stopping.signal.aborted;
  try {
    await service.start();
    await service.client.shares.create({ name: 'demo', target: backend.url, oauthProvider: 'corp' });
    const samples = watch(service.pid(), going);
    const lives = Array.from({ length: options.people }, async (_, n) => {
      try {
        while (going()) await liveOnce(crowd, `person-${n}@example.com`, more);
      } finally {
        if (going()) stopping.abort();
      }
    });
    await Promise.all(lives);
    return { ...counts, ...more, ...compare(await samples) };
  } finally {
    stopping.abort();
    backend.close();
    await service.close();
  }
}

async function liveOnce(crowd: Crowd, email: string, more: More): Promise<void> {
  const person = await logIn(crowd, email);
  for (let left = randomInt(5, 60); left > 0; left--) {
    const what = randomInt(20);
    if (what === 0) await upload(crowd, person, more);
    else if (what === 1) await giveUp(crowd, person, more);
    else if (what === 2) await talk(crowd, person, more);
    else await person.visit(`/page?n=${left}`);
    await pause(randomInt(50));
  }
  await person.logOut();
}

async function upload({ service }: Crowd, person: Person, more: More): Promise<void> {
  const body = Buffer.alloc(randomInt(1, 2_000_000), 'x');
  const answer = await person.browser.request(`${service.urlOf('demo')}/upload`, { method: 'POST', body });
  const said = answer.status === 200 ? (JSON.parse(answer.body) as { bytes: unknown }).bytes : null;
  if (said !== body.byteLength) throw new Error(`An upload of ${body.byteLength} bytes came as ${said}`);
  more.uploads++;
}

/** Leaves at any moment of a download, as people do who close a tab. */
async function giveUp({ service }: Crowd, person: Person, more: More): Promise<void> {
  const signal = AbortSignal.timeout(randomInt(1, 40));
  await person.browser
    .open(`${service.urlOf('demo')}/padded/20000000`, { signal })
    .catch((error: unknown) => {
      if (!signal.aborted) throw error;
    });
  more.givenUp++;
}

async function talk({ service }: Crowd, person: Person, more: More): Promise<void> {
  const { host, origin } = new URL(service.urlOf('demo'));
  const socket = new WebSocket(`ws://127.0.0.1:${service.port}/talk`, {
    headers: { host, cookie: person.cookie(), origin },
  });
  await once(socket, 'open');
  for (let left = randomInt(5); left > 0; left--) {
    socket.send(`line ${left}`);
    const [heard] = (await once(socket, 'message')) as [Buffer];
    if (heard.toString() !== `line ${left}`) throw new Error('A WebSocket said something else');
  }
  // Half of them say goodbye.
  if (randomInt(2) === 0) socket.terminate();
  else socket.close();
  await once(socket, 'close');
  more.webSockets++;
}

type Sample = { readonly mb: number; readonly descriptors: number };

async function watch(pid: number, going: () => boolean): Promise<readonly Sample[]> {
  const samples: Sample[] = [];
  while (going()) {
    samples.push({ mb: residentMb(pid), descriptors: readdirSync(`/proc/${pid}/fd`).length });
    await pause(SAMPLE_MS);
  }
  return samples;
}

function compare(samples: readonly Sample[]) {
  const quarter = Math.floor(samples.length / 4);
  const warm = samples.slice(quarter, 2 * quarter);
  const end = samples.slice(-quarter);
  return {
    warmMb: middle(warm.map(({ mb }) => mb)),
    endMb: middle(end.map(({ mb }) => mb)),
    warmDescriptors: middle(warm.map(({ descriptors }) => descriptors)),
    endDescriptors: middle(end.map(({ descriptors }) => descriptors)),
  };
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const SAMPLE_MS = 500;
