// Hears of other processes' commits and posts by LISTEN, on a connection of its own. Of commits it only
// hurries the poll: when the connection is lost, or cannot be made, they are found half a second later and it
// is made again. What is posted meanwhile is not heard.

import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, type Notification } from 'pg';
import { type Origin, clientConfig } from './pool.ts';
import { CHANGE_CHANNEL } from './rules.ts';

export type OtherProcesses = {
  readonly onCommit: (heard: () => void) => void;
  readonly onPost: (heard: (text: string) => void) => void;
  /** Waits until the connection is closed. */
  readonly stop: () => Promise<void>;
};

export type Heard = { readonly committed: () => void; readonly posted: (text: string) => void };

/** Connects when somebody first wants to hear: a command that is over in a moment follows nobody. */
export function hearOtherProcesses(origin: Origin): OtherProcesses {
  const commits: (() => void)[] = [];
  const posts: ((text: string) => void)[] = [];
  let stop: (() => Promise<void>) | null = null;
  const begin = (): void => {
    stop ??= followOtherProcesses(origin, {
      committed: () => commits.forEach((heard) => heard()),
      posted: (text) => posts.forEach((heard) => heard(text)),
    });
  };
  return {
    onCommit: (heard) => {
      commits.push(heard);
      begin();
    },
    onPost: (heard) => {
      posts.push(heard);
      begin();
    },
    stop: async () => stop?.(),
  };
}

/** Answers how to stop, which waits until the connection is closed. */
export function followOtherProcesses(origin: Origin, heard: Heard): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const over = follow({ origin, heard, signal });
  return () => {
    stopping.abort();
    return over;
  };
}

/** What `followOtherProcesses` of the others hears, as the arguments of `pg_notify`. */
export function notificationOf(origin: Origin, text: string): readonly [channel: string, payload: string] {
  return [POST_CHANNEL, `${origin.process} ${text}`];
}

type Following = { readonly origin: Origin; readonly heard: Heard; readonly signal: AbortSignal };

async function follow(following: Following): Promise<void> {
  const { heard, signal } = following;
  for (let again = false; !signal.aborted; again = true) {
    await listen(following, () => {
      // What was committed since the loss was announced to nobody.
      if (again) heard.committed();
    }).catch(() => {});
    await delay(AGAIN_AFTER_MS, undefined, { signal }).catch(() => {});
  }
}

/** Resolves or throws when the connection is over. */
async function listen(following: Following, listening: () => void): Promise<void> {
  const { origin, signal } = following;
  const sockets: Socket[] = [];
  const client = new Client(clientConfig(origin, (socket) => sockets.push(socket)));
  const over = new Promise<void>((resolve) => {
    client.on('error', () => resolve());
    client.on('end', () => resolve());
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
  client.on('notification', (notification) => hear(following, notification));
  try {
    await client.connect();
    await client.query(`LISTEN ${CHANGE_CHANNEL}; LISTEN ${POST_CHANNEL}`);
    listening();
    await over;
  } finally {
    // Not `client.end()`: a server that was cut off never answers it.
    for (const socket of sockets) socket.destroy();
  }
}

function hear({ origin, heard }: Following, { channel, payload = '' }: Notification): void {
  if (channel === CHANGE_CHANNEL) {
    if (payload !== origin.process) heard.committed();
    return;
  }
  const end = payload.indexOf(' ');
  if (end > 0 && payload.slice(0, end) !== origin.process) heard.posted(payload.slice(end + 1));
}

const POST_CHANNEL = 'doorward_posts';
/** Soon, as it is cheap; not at once, as a server that restarts refuses for a while. */
const AGAIN_AFTER_MS = 1_000;
