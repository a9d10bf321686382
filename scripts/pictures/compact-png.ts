// Smaller pictures of screens.

import { deflateSync } from 'node:zlib';
import { chunk, decode, opening, paletteOf, rowsOf } from './png.ts';

/** Of a picture as Chromium writes it, with at most 256 colours. */
export function compactPng(png: Buffer): Buffer {
  const picture = decode(png);
  const palette = paletteOf([picture]);
  const rows = rowsOf(picture, palette, { x: 0, y: 0, ...picture });
  return Buffer.concat([
    ...opening(picture, palette),
    chunk('IDAT', deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
