// Hears of other processes' commits by LISTEN, on a connection of its own. It only hurries the poll: when the
// connection is lost, or cannot be made, commits are found half a second later and it is made again.

import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { type Origin, clientConfig } from './pool.ts';
import { CHANGE_CHANNEL } from './rules.ts';

/** Answers how to stop, which waits until the connection is closed. */
export function followOtherCommits(origin: Origin, heard: () => void): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const over = follow({ origin, heard, signal });
  return () => {
    stopping.abort();
    return over;
  };
}

type Following = { readonly origin: Origin; readonly heard: () => void; readonly signal: AbortSignal };

async function follow(following: Following): Promise<void> {
  const { heard, signal } = following;
  for (let again = false; !signal.aborted; again = true) {
    await listen(following, () => {
      // What was committed since the loss was announced to nobody.
      if (again) heard();
    }).catch(() => {});
    await delay(AGAIN_AFTER_MS, undefined, { signal }).catch(() => {});
  }
}

/** Resolves or throws when the connection is over. */
async function listen({ origin, heard, signal }: Following, listening: () => void): Promise<void> {
  const sockets: Socket[] = [];
  const client = new Client(clientConfig(origin, (socket) => sockets.push(socket)));
  const over = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  client.on('notification', ({ payload }) => {
    if (payload !== origin.process) heard();
  });
  try {
    await client.connect();
    await client.query(`LISTEN ${CHANGE_CHANNEL}`);
    listening();
    await over;
  } finally {
    // Not `client.end()`: a server that was cut off never answers it.
    for (const socket of sockets) socket.destroy();
  }
}

/** Soon, as it is cheap; not at once, as a server that restarts refuses for a while. */
const AGAIN_AFTER_MS = 1_000;
