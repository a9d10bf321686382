// Pictures of screens as PNG with a palette (third edition, sections 9 and 11): a screen has few colours, so
// each pixel becomes a place in a list of at most 256. What is rarer than those, in the edges of letters,
// takes the nearest.

import { crc32, inflateSync } from 'node:zlib';

/** One colour a pixel, 0xrrggbb. */
export type Pixels = { readonly width: number; readonly height: number; readonly pixels: Uint32Array };

/**
 * From what Chromium writes: 8 bits a channel, with or without transparency, not interlaced. Throws for
 * anything else.
 */
export function decode(png: Buffer): Pixels {
  const header = png.subarray(16, 29);
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const [depth, type, , , interlace] = header.subarray(8);
  const channels = type === RGBA ? 4 : 3;
  if (
    !png.subarray(0, 8).equals(SIGNATURE) ||
    depth !== 8 ||
    interlace !== 0 ||
    (type !== RGB && type !== RGBA)
  )
    throw new TypeError(`Cannot read the picture: it has ${depth} bits of colour type ${type}`);
  const data: Buffer[] = [];
  for (let at = 8; at < png.length;) {
    const length = png.readUInt32BE(at);
    if (png.toString('latin1', at + 4, at + 8) === 'IDAT') data.push(png.subarray(at + 8, at + 8 + length));
    at += length + 12;
  }
  const bytes = unfilter(inflateSync(Buffer.concat(data)), width * channels, channels);
  const pixels = new Uint32Array(width * height);
  for (let index = 0; index < pixels.length; index++) pixels[index] = bytes.readUIntBE(index * channels, 3);
  return { width, height, pixels };
}

/** PNG section 9.2: each row is told by what is left and above of it. */
function unfilter(raw: Buffer, stride: number, step: number): Buffer {
  const rows = raw.length / (stride + 1);
  const out = Buffer.alloc(rows * stride);
  for (let row = 0; row < rows; row++) {
    const filter = raw[row * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const at = row * stride + x;
      const left = x < step ? 0 : (out[at - step] ?? 0);
      const up = row === 0 ? 0 : (out[at - stride] ?? 0);
      const corner = x < step || row === 0 ? 0 : (out[at - stride - step] ?? 0);
      const told = [0, left, up, (left + up) >> 1, paeth(left, up, corner)][filter ?? 0] ?? 0;
      out[at] = (raw[row * (stride + 1) + 1 + x] ?? 0) + told;
    }
  }
  return out;
}

function paeth(left: number, up: number, corner: number): number {
  const [toLeft, toUp, toCorner] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs);
  if ((toLeft ?? 0) <= (toUp ?? 0) && (toLeft ?? 0) <= (toCorner ?? 0)) return left;
  return (toUp ?? 0) <= (toCorner ?? 0) ? up : corner;
}

export type Palette = { readonly colours: readonly number[]; readonly places: ReadonlyMap<number, number> };

/** The commonest colours of some pictures, and the place in them that each colour takes. */
export function paletteOf(pictures: readonly Pixels[]): Palette {
  const counts = new Map<number, number>();
  for (const { pixels } of pictures)
    for (const colour of pixels) counts.set(colour, (counts.get(colour) ?? 0) + 1);
  const colours = [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, MOST_COLOURS)
    .map(([colour]) => colour);
  const places = new Map(colours.map((colour, place) => [colour, place]));
  for (const colour of counts.keys()) if (!places.has(colour)) places.set(colour, nearest(colours, colour));
  return { colours, places };
}

function nearest(palette: readonly number[], colour: number): number {
  let best = 0;
  let least = Infinity;
  for (const [place, each] of palette.entries()) {
    const distance = [16, 8, 0].reduce(
      (sum, shift) => sum + (((each >> shift) & 0xff) - ((colour >> shift) & 0xff)) ** 2,
      0,
    );
    if (distance < least) [best, least] = [place, distance];
  }
  return best;
}

/** The chunks before the pixels. */
export function opening({ width, height }: Pixels, { colours }: Palette): readonly Buffer[] {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, INDEXED, 0, 0, 0], 8);
  const bytes = colours.flatMap((colour) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff]);
  return [SIGNATURE, chunk('IHDR', header), chunk('PLTE', Buffer.from(bytes))];
}

export type Part = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
};

/** The rows of a part, unfiltered, as places in the palette; to be deflated. */
export function rowsOf({ width, pixels }: Pixels, { places }: Palette, part: Part): Buffer {
  const rows = Buffer.alloc(part.height * (part.width + 1));
  for (let row = 0; row < part.height; row++)
    for (let x = 0; x < part.width; x++)
      rows[row * (part.width + 1) + 1 + x] =
        places.get(pixels[(part.y + row) * width + part.x + x] ?? 0) ?? 0;
  return rows;
}

export function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** Colour types. */
const RGB = 2;
const RGBA = 6;
const INDEXED = 3;
/** As many as a byte can tell apart. */
const MOST_COLOURS = 256;
