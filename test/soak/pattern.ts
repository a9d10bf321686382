// Bytes that tell their own position, so that a receiver notices a lost, repeated or shifted piece without
// keeping anything.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Readable, Writable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';

/** Writes the first `bytes` of the pattern, as fast as they are taken, and ends. */
export async function sendPattern(to: Writable, bytes: number): Promise<void> {
  for (let at = 0; at < bytes;) {
    const piece = patternAt(at, Math.min(PIECE, bytes - at));
    at += piece.byteLength;
    if (to.destroyed) throw new Error(`Cannot send: the other side closed after ${at} of ${bytes} bytes`);
    if (!to.write(piece)) await once(to, 'drain');
  }
  to.end();
}

/**
 * Reads to the end and throws at the first wrong byte; answers how many came. Reads nothing for `stallMs`
 * once `stallAt` bytes came.
 */
export async function receivePattern(
  from: Readable,
  stall: { readonly stallAt: number; readonly stallMs: number },
): Promise<number> {
  let at = 0;
  let stalled = false;
  for await (const chunk of from as AsyncIterable<Buffer>) {
    checkPattern(chunk, at);
    at += chunk.byteLength;
    if (!stalled && at >= stall.stallAt) {
      stalled = true;
      await setTimeout(stall.stallMs);
    }
  }
  return at;
}

function checkPattern(chunk: Buffer, at: number): void {
  for (let done = 0; done < chunk.byteLength; done += PIECE) {
    const piece = chunk.subarray(done, done + PIECE);
    if (!patternAt(at + done, piece.byteLength).equals(piece))
      throw new Error(`Cannot accept what came: it is wrong at byte ${at + done} or soon after`);
  }
}

/** At most `PIECE` bytes. */
function patternAt(at: number, length: number): Buffer {
  const start = at % PERIOD;
  return PATTERN.subarray(start, start + length);
}

/** A prime: no buffer size divides it, so that a lost or repeated buffer shifts the pattern. */
const PERIOD = 65_521;
const PIECE = 64 * 1024;
const ONCE = randomBytes(PERIOD);
const PATTERN = Buffer.concat([ONCE, ONCE, ONCE]);
