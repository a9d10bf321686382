// How much arrived through tunnels that nobody has read yet. HTTP/2's windows bound one stream; this bounds a tunnel and a
// process: beyond their limits those streams that hold the most are reset (DESIGN 3, "Tunnel").

import { constants, type Http2Stream } from 'node:http2';
import { PROCESS_UNREAD_BYTES, STREAM_WINDOW_BYTES, TUNNEL_UNREAD_BYTES } from './limits.ts';

export type UnreadLimits = { readonly tunnelBytes: number; readonly processBytes: number };

/** One for each process or worker. A stream that is read holds nothing worth counting; a paused one fills up to its window. */
export class UnreadBudget {
  readonly #limits: UnreadLimits;
  readonly #tunnels = new Set<TunnelUnread>();
  #pausedCount = 0;
  #timer: NodeJS.Timeout | null = null;

  constructor(limits: Partial<UnreadLimits> = {}) {
    this.#limits = { tunnelBytes: TUNNEL_UNREAD_BYTES, processBytes: PROCESS_UNREAD_BYTES, ...limits };
  }

  /** Whose streams are then given to `watch()`. */
  openTunnel(): TunnelUnread {
    const unread: TunnelUnread = {
      paused: new Set(),
      watch: (stream) => {
        stream.on('pause', () => this.#note(unread, stream, true));
        stream.on('resume', () => this.#note(unread, stream, false));
        stream.on('close', () => this.#note(unread, stream, false));
      },
    };
    this.#tunnels.add(unread);
    return unread;
  }

  closeTunnel(unread: TunnelUnread): void {
    this.#tunnels.delete(unread);
    this.#pausedCount -= unread.paused.size;
    unread.paused.clear();
  }

  #note(unread: TunnelUnread, stream: Http2Stream, isPaused: boolean): void {
    const before = unread.paused.size;
    if (isPaused && !stream.destroyed && this.#tunnels.has(unread)) unread.paused.add(stream);
    else unread.paused.delete(stream);
    this.#pausedCount += unread.paused.size - before;
    const { tunnelBytes, processBytes } = this.#limits;
    const tooMany = unread.paused.size * STREAM_WINDOW_BYTES > tunnelBytes;
    if (tooMany || this.#pausedCount * STREAM_WINDOW_BYTES > processBytes) this.#lookSoon();
  }

  #lookSoon(): void {
    if (this.#timer === null) this.#timer = setTimeout(() => this.#look(), LOOK_MS).unref();
  }

  /** As long as there are paused streams enough to hold too much, they are counted again and again. */
  #look(): void {
    this.#timer = null;
    const { tunnelBytes, processBytes } = this.#limits;
    let again = this.#pausedCount * STREAM_WINDOW_BYTES > processBytes;
    for (const { paused } of this.#tunnels) {
      if (paused.size * STREAM_WINDOW_BYTES <= tunnelBytes) continue;
      again = true;
      resetLargest(paused, tunnelBytes);
    }
    if (this.#pausedCount * STREAM_WINDOW_BYTES > processBytes)
      resetLargest(Array.from(this.#tunnels, ({ paused }) => Array.from(paused)).flat(), processBytes);
    if (again) this.#lookSoon();
  }
}

export type TunnelUnread = {
  readonly paused: Set<Http2Stream>;
  readonly watch: (stream: Http2Stream) => void;
};

function resetLargest(paused: Iterable<Http2Stream>, limit: number): void {
  let held = 0;
  for (const stream of paused) held += stream.readableLength;
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
