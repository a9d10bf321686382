// The buffer that a socket reads into, used again for each read: one connection's own, never shared, so that
// no mistake here can show one backend's bytes to another's visitor. What leaves it is a copy, or the buffer
// is given away and replaced.

import type { OnReadOpts } from 'node:net';

export class ReadBuffer {
  /** For `net.connect()` and `tls.connect()`. */
  readonly onread: OnReadOpts;
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #given = false;

  /** `read(chunk, to)`: the bytes are `chunk[0, to)`, valid during the call only. */
  constructor(read: (chunk: Buffer, to: number) => void) {
    this.onread = {
      buffer: () => this.#slab,
      callback: (to) => {
        try {
          read(this.#slab, to);
        } finally {
          if (this.#given) this.#replace();
        }
        return true;
      },
    };
  }

  owns(chunk: Buffer): boolean {
    return chunk === this.#slab;
  }

  /** Bytes of the current read, to keep. */
  take(from: number, to: number): Buffer {
    if (this.#given || to - from >= GIVE_AWAY_BYTES) {
      this.#given = true;
      return this.#slab.subarray(from, to);
    }
    const copy = Buffer.allocUnsafe(to - from);
    this.#slab.copy(copy, 0, from, to);
    return copy;
  }

  #replace(): void {
    this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    this.#given = false;
  }
}

/** What the kernel mostly has ready on a busy connection; small answers touch its first page only. */
const SLAB_BYTES = 64 * 1024;
/**
 * From here a new buffer is cheaper than a copy, and at least half of what a slow receiver holds is what it
 * wants.
 */
const GIVE_AWAY_BYTES = SLAB_BYTES / 2;
