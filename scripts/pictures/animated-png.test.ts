// Animated PNG (third edition, section 11.3.6), read chunk by chunk.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32, deflateSync, inflateSync } from 'node:zlib';
import { animatedPng } from './animated-png.ts';
import { chunk } from './png.ts';

test('animatedPng() has each picture for its time, and of the later ones only what changed', () => {
  const [white, red] = [0xffffff, 0xff0000];
  const still = Array<number>(8).fill(white);
  const dotted = still.with(6, red);
  const recording = animatedPng([
    { png: pngOf(4, still), shownMs: 900 },
    { png: pngOf(4, dotted), shownMs: 60 },
  ]);
  const chunks = chunksOf(recording);
  assert.deepEqual(
    chunks.map(({ type }) => type),
    ['IHDR', 'acTL', 'PLTE', 'fcTL', 'IDAT', 'fcTL', 'fdAT', 'IEND'],
  );
  const [first, second] = chunks.filter(({ type }) => type === 'fcTL').map(({ data }) => data);
  assert.deepEqual([first?.readUInt32BE(0), first?.readUInt16BE(20), second?.readUInt16BE(20)], [0, 900, 60]);
  // Width 1, height 1, at (2, 1).
  const part = [4, 8, 12, 16].map((at) => second?.readUInt32BE(at));
  assert.deepEqual(part, [1, 1, 2, 1]);
  const data = chunks.find(({ type }) => type === 'fdAT')?.data ?? Buffer.alloc(0);
  const [, place = 0] = inflateSync(data.subarray(4));
  const colours = chunks.find(({ type }) => type === 'PLTE')?.data ?? Buffer.alloc(0);
  assert.equal(colours.readUIntBE(place * 3, 3), red);
});

test('animatedPng() refuses pictures of several sizes', () => {
  const shownMs = 100;
  const frames = [4, 2].map((width) => ({ png: pngOf(width, Array<number>(8).fill(0)), shownMs }));
  assert.throws(() => animatedPng(frames), /pictures of 4 and of 2 pixels/);
});

/** As Chromium writes them: RGB, 8 bits. */
function pngOf(width: number, pixels: readonly number[]): Buffer {
  const height = pixels.length / width;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const rows = Array.from({ length: height }, (_, row) => [
    0,
    ...pixels
      .slice(row * width, (row + 1) * width)
      .flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]),
  ]);
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.from(rows.flat()))),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** Each with a sound checksum. */
function chunksOf(png: Buffer): readonly { readonly type: string; readonly data: Buffer }[] {
  const found = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    const named = png.subarray(at + 4, at + 8 + length);
    assert.equal(png.readUInt32BE(at + 8 + length), crc32(named));
    found.push({ type: named.toString('latin1', 0, 4), data: named.subarray(4) });
    at += length + 12;
  }
  return found;
}
