// A recording as an animated PNG (third edition, section 11.3.6): pictures of one size, each shown for its
// time. Of each but the first only the part that changed is in the file.

import { deflateSync } from 'node:zlib';
import { chunk, decode, opening, paletteOf, type Part, type Pixels, rowsOf } from './png.ts';

export type Frame = { readonly png: Buffer; readonly shownMs: number };

/** Plays again and again. Throws for pictures of several sizes, and for none. */
export function animatedPng(frames: readonly Frame[]): Buffer {
  const pictures = frames.map(({ png }) => decode(png));
  const [first] = pictures;
  if (first === undefined) throw new TypeError('Cannot make a recording without pictures');
  const palette = paletteOf(pictures);
  const chunks: Buffer[] = [];
  let sequence = 0;
  for (const [index, picture] of pictures.entries()) {
    const before = pictures[index - 1];
    const part = before === undefined ? { x: 0, y: 0, ...picture } : changedPart(before, picture);
    chunks.push(chunk('fcTL', frameControl(sequence++, part, frames[index]?.shownMs ?? 0)));
    const data = deflateSync(rowsOf(picture, palette, part), { level: 9, memLevel: 9 });
    if (before === undefined) chunks.push(chunk('IDAT', data));
    else chunks.push(chunk('fdAT', Buffer.concat([uint32(sequence++), data])));
  }
  const animation = Buffer.concat([uint32(frames.length), uint32(FOR_EVER)]);
  const [signature, header, colours] = opening(first, palette);
  if (signature === undefined || header === undefined || colours === undefined) throw new TypeError();
  return Buffer.concat([
    signature,
    header,
    chunk('acTL', animation),
    colours,
    ...chunks,
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

/** The smallest rectangle outside of which nothing changed; one pixel where nothing did. */
function changedPart(before: Pixels, after: Pixels): Part {
  if (before.width !== after.width || before.height !== after.height)
    throw new TypeError(`Cannot record pictures of ${before.width} and of ${after.width} pixels together`);
  let [left, top, right, bottom] = [after.width, after.height, -1, -1];
  for (const [index, colour] of after.pixels.entries()) {
    if (before.pixels[index] === colour) continue;
    const [x, y] = [index % after.width, Math.floor(index / after.width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), y];
  }
  if (right < 0) return { x: 0, y: 0, width: 1, height: 1 };
  return { x: left, y: top, width: right - left + 1, height: bottom - top + 1 };
}

function frameControl(sequence: number, { x, y, width, height }: Part, shownMs: number): Buffer {
  const delay = Buffer.alloc(6);
  delay.writeUInt16BE(shownMs, 0);
  delay.writeUInt16BE(1000, 2);
  return Buffer.concat([...[sequence, width, height, x, y].map(uint32), delay]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

const FOR_EVER = 0;
