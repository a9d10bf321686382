import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ReadBuffer } from './read-buffer.ts';

/** A connection that keeps the whole of each read. */
function reader(keep: (piece: Buffer) => void): { readonly buffer: ReadBuffer; readonly read: Read } {
  const buffer: ReadBuffer = new ReadBuffer((chunk, to) => {
    assert.ok(buffer.owns(chunk));
    keep(buffer.take(0, to));
  });
  const { onread } = buffer;
  return {
    buffer,
    read: (fill, of) => {
      const slab = typeof onread.buffer === 'function' ? onread.buffer() : onread.buffer;
      const length = Math.min(of ?? slab.byteLength, slab.byteLength);
      slab.fill(fill, 0, length);
      onread.callback(length, slab);
      return length;
    },
  };
}

/** As the kernel would: so many bytes, or as many as there is room for. */
type Read = (fill: number, of?: number) => number;

test('ReadBuffer never changes a byte that it gave out, however large the reads are (DESIGN 6)', () => {
  const pieces: Buffer[] = [];
  const { buffer, read } = reader((piece) => pieces.push(piece));
  const lengths = [1, 40_000, Infinity, Infinity, 5, 100_000, 200_000, Infinity, 70_000, 3];
  const lengthsRead = lengths.map((length, n) => read(n + 1, length));
  buffer.rest();
  lengthsRead.push(read(lengths.length + 1), read(lengths.length + 2));
  assert.deepEqual(
    pieces.map((piece) => piece.byteLength),
    lengthsRead,
  );
  for (const [n, piece] of pieces.entries()) assert.ok(piece.every((byte) => byte === n + 1));
});

test('ReadBuffer is large while reads fill it, and small again once nothing comes (DESIGN 6)', () => {
  const { buffer, read } = reader(() => undefined);
  assert.deepEqual(
    [read(1, 100), read(1), read(1), read(1, 100), read(1)],
    [100, 64, 256, 100, 256].map(inKiB),
  );
  buffer.rest();
  read(1);
  assert.equal(read(1), 256 * 1024);
  buffer.rest();
  read(1, 100);
  assert.equal(read(1), 64 * 1024);
  buffer.rest();
});

test('ReadBuffer has 64 large ones at most in all, and a next as soon as one rests (DESIGN 3)', () => {
  const all = Array.from({ length: 65 }, () => reader(() => undefined));
  for (const { read } of all) read(1);
  const [first, last] = [all[0]!, all[64]!];
  assert.equal(first.read(1), 256 * 1024);
  assert.equal(last.read(1), 64 * 1024);
  first.buffer.rest();
  first.buffer.rest();
  last.read(1);
  assert.equal(last.read(1), 256 * 1024);
  for (const { buffer } of all) buffer.rest();
});

/** Less than that is bytes. */
function inKiB(size: number): number {
  return size === 100 ? size : size * 1024;
}
