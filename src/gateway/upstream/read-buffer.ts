// The buffer that a socket reads into, used again for each read: one connection's own, never shared, so that
// no mistake here can show one backend's bytes to another's visitor. What leaves it is a copy, or the buffer
// is given away and replaced. One that is filled gives way to a larger one until the answer ends: with larger
// pieces a download costs a sixth to a quarter less. Few of a worker's connections have one at a time.

import type { OnReadOpts } from 'node:net';

export class ReadBuffer {
  /** For `net.connect()` and `tls.connect()`. */
  readonly onread: OnReadOpts;
  #slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
  #given = false;
  /** It is one of the few that may be large. */
  #isLarge = false;

  /** `read(chunk, to)`: the bytes are `chunk[0, to)`, valid during the call only. */
  constructor(read: (chunk: Buffer, to: number) => void) {
    this.onread = {
      buffer: () => this.#slab,
      callback: (to) => {
        try {
          if (to === this.#slab.byteLength) this.#grow();
          read(this.#slab, to);
        } finally {
          if (this.#given || this.#slab.byteLength > this.#bytes) this.#replace();
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
    if (this.#given || to - from >= GIVE_AWAY_SHARE * this.#slab.byteLength) {
      this.#given = true;
      return this.#slab.subarray(from, to);
    }
    const copy = Buffer.allocUnsafe(to - from);
    this.#slab.copy(copy, 0, from, to);
    return copy;
  }

  /** Nothing comes any more for now. Also once the socket is gone. */
  rest(): void {
    if (!this.#isLarge) return;
    this.#isLarge = false;
    largeOnes--;
  }

  get #bytes(): number {
    return this.#isLarge ? LARGE_SLAB_BYTES : SLAB_BYTES;
  }

  #grow(): void {
    if (this.#isLarge || largeOnes >= MAX_LARGE) return;
    this.#isLarge = true;
    largeOnes++;
  }

  #replace(): void {
    this.#slab = Buffer.allocUnsafeSlow(this.#bytes);
    this.#given = false;
  }
}

/** What the kernel mostly has ready on a busy connection; small answers touch its first page only. */
const SLAB_BYTES = 64 * 1024;
/**
 * From here a new buffer is cheaper than a copy, and at least half of what a slow receiver holds is what it
 * wants.
 */
const GIVE_AWAY_SHARE = 1 / 2;
/** Measured: with more nothing is gained. */
const LARGE_SLAB_BYTES = 256 * 1024;
/** Of a worker. Whoever reads slowly holds one, and what is with it: 32 MB in all, and then no more. */
const MAX_LARGE = 64;
/** Of all connections of a worker. */
let largeOnes = 0;
