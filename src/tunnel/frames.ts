// How frames are written on a control connection: one byte that says what it is, three with the length of
// the payload, and the payload.

import { MAX_FRAME_BYTES } from './limits.ts';

export function writeFrame(type: number, payload: Uint8Array = NOTHING): Buffer {
  const frame = Buffer.allocUnsafe(HEAD_BYTES + payload.byteLength);
  frame.writeUInt8(type, 0);
  frame.writeUIntBE(payload.byteLength, 1, 3);
  frame.set(payload, HEAD_BYTES);
  return frame;
}

export class FrameReader {
  #rest: Buffer = NOTHING;
  readonly #onFrame: (type: number, payload: Buffer) => void;

  constructor(onFrame: (type: number, payload: Buffer) => void) {
    this.#onFrame = onFrame;
  }

  /** Whether a frame has begun that is not whole. */
  get isWithin(): boolean {
    return this.#rest.byteLength > 0;
  }

  /** False for a frame that is larger than any may be; nothing is to be read behind it. */
  feed(chunk: Buffer): boolean {
    let bytes = this.isWithin ? Buffer.concat([this.#rest, chunk]) : chunk;
    while (bytes.byteLength >= HEAD_BYTES) {
      const length = bytes.readUIntBE(1, 3);
      if (length > MAX_FRAME_BYTES) return false;
      const end = HEAD_BYTES + length;
      if (bytes.byteLength < end) break;
      this.#onFrame(bytes.readUInt8(0), bytes.subarray(HEAD_BYTES, end));
      bytes = bytes.subarray(end);
    }
    this.#rest = bytes;
    return true;
  }
}

const HEAD_BYTES = 4;
const NOTHING: Buffer = Buffer.alloc(0);
