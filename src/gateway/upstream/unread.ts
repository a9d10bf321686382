// How much arrived by HTTP/2 that nobody has read yet. Its windows bound one stream; this bounds a connection
// and a process: beyond their limits those streams that hold the most are reset (DESIGN "HTTP/2 to
// backends"), of those who hold the most.

import { constants, type Http2Stream } from 'node:http2';
import { CONNECTION_UNREAD_BYTES, PROCESS_UNREAD_BYTES, STREAM_WINDOW_BYTES } from './http2-limits.ts';

export type UnreadLimits = { readonly connectionBytes: number; readonly processBytes: number };

/**
 * One for each process or worker. A stream that is read holds nothing worth counting; a paused one fills up
 * to its window.
 */
export class UnreadBudget {
  readonly #limits: UnreadLimits;
  readonly #connections = new Set<ConnectionUnread>();
  #pausedCount = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(limits: Partial<UnreadLimits> = {}) {
    this.#limits = {
      connectionBytes: CONNECTION_UNREAD_BYTES,
      processBytes: PROCESS_UNREAD_BYTES,
      ...limits,
    };
  }

  /**
   * Whose streams are then given to `watch()`. Connections of one owner have one part of what the process may
   * hold.
   */
  openConnection(owner: string): ConnectionUnread {
    const unread: ConnectionUnread = {
      owner,
      paused: new Set(),
      watch: (stream) => {
        stream.on('pause', () => this.#note(unread, stream, true));
        stream.on('resume', () => this.#note(unread, stream, false));
        stream.on('close', () => this.#note(unread, stream, false));
      },
    };
    this.#connections.add(unread);
    return unread;
  }

  closeConnection(unread: ConnectionUnread): void {
    this.#connections.delete(unread);
    this.#pausedCount -= unread.paused.size;
    unread.paused.clear();
  }

  #note(unread: ConnectionUnread, stream: Http2Stream, isPaused: boolean): void {
    const before = unread.paused.size;
    if (isPaused && !stream.destroyed && this.#connections.has(unread)) unread.paused.add(stream);
    else unread.paused.delete(stream);
    this.#pausedCount += unread.paused.size - before;
    const { connectionBytes, processBytes } = this.#limits;
    const tooMany = unread.paused.size * STREAM_WINDOW_BYTES > connectionBytes;
    if (tooMany || this.#pausedCount * STREAM_WINDOW_BYTES > processBytes) this.#lookSoon();
  }

  #lookSoon(): void {
    if (this.#timer === null) this.#timer = setTimeout(() => this.#look(), LOOK_MS).unref();
  }

  /** As long as there are paused streams enough to hold too much, they are counted again and again. */
  #look(): void {
    this.#timer = null;
    const { connectionBytes, processBytes } = this.#limits;
    let again = this.#pausedCount * STREAM_WINDOW_BYTES > processBytes;
    for (const { paused } of this.#connections) {
      if (paused.size * STREAM_WINDOW_BYTES <= connectionBytes) continue;
      again = true;
      resetLargest(paused, connectionBytes);
    }
    if (this.#pausedCount * STREAM_WINDOW_BYTES > processBytes) this.#shareOut(processBytes);
    if (again) this.#lookSoon();
  }

  /** Whoever holds less than an even part keeps it. */
  #shareOut(processBytes: number): void {
    const byOwner = Map.groupBy(this.#connections, ({ owner }) => owner);
    const held = Array.from(byOwner.values(), (connections) =>
      connections.flatMap(({ paused }) => [...paused]),
    );
    const part = evenPart(held.map(bytesOf), processBytes);
    for (const paused of held) resetLargest(paused, part);
  }
}

export type ConnectionUnread = {
  readonly owner: string;
  readonly paused: Set<Http2Stream>;
  readonly watch: (stream: Http2Stream) => void;
};

/** What each may have at most, so that all of them together have `limit`. */
function evenPart(sums: readonly number[], limit: number): number {
  let left = limit;
  for (const [index, sum] of sums.toSorted((a, b) => a - b).entries()) {
    const part = left / (sums.length - index);
    if (sum > part) return part;
    left -= sum;
  }
  return Infinity;
}

function bytesOf(paused: Iterable<Http2Stream>): number {
  let held = 0;
  for (const stream of paused) held += stream.readableLength;
  return held;
}

function resetLargest(paused: Iterable<Http2Stream>, limit: number): void {
  let held = bytesOf(paused);
  if (held <= limit) return;
  for (const stream of [...paused].toSorted((a, b) => b.readableLength - a.readableLength)) {
    if (held <= limit) return;
    held -= stream.readableLength;
    stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM);
    stream.destroy();
  }
}

/** A few streams fill their windows within it; hundreds of MB do not come in so short a time. */
const LOOK_MS = 50;
