// A return URL that is too long for the login's own parameters and cookies stays in the browser, at the
// share's host: deflated, cut into pieces, each sealed by itself into a cookie. What travels through the
// login is their key, which only this address and this browser's binding make; so neither pieces of another
// address nor of another browser open as it.

import { deflateSync, inflateSync } from 'node:zlib';
import { shortHash } from '../domain/secret.ts';
import { bytesField, hashField, numberField, readRecord } from './record.ts';
import type { Seal } from './seal.ts';

export type KeptAddress = {
  /** 22 base64url characters. */
  readonly key: string;
  /** In their order; each fits a cookie. */
  readonly pieces: readonly string[];
};

type Keeping = { readonly url: string; readonly bindingHash: string | null };

/** Null for an address over 16 KiB of query and 1 KiB of all else. */
export function sealAddress(seal: Seal, keeping: Keeping): KeptAddress | null {
  const bytes = Buffer.from(keeping.url);
  if (bytes.length > MAX_ADDRESS_BYTES) return null;
  const deflated = deflateSync(bytes, DEFLATE);
  const count = Math.ceil(deflated.length / PIECE_BYTES);
  if (count > MAX_PIECES) return null;
  const key = addressKey(keeping);
  const pieces = Array.from({ length: count }, (_, index) => {
    const part = deflated.subarray(index * PIECE_BYTES, (index + 1) * PIECE_BYTES);
    return seal.seal('kept-address', pieceContent({ key, index, count, part }));
  });
  return { key, pieces };
}

/**
 * `at`: what the browser has as the piece of that index; others may have planted some beside it. Null when a
 * piece is missing, or they make no address. Never throws.
 */
export function openAddress(
  seal: Seal,
  { key, at }: { readonly key: string; readonly at: (index: number) => readonly string[] },
): string | null {
  const parts: Uint8Array[] = [];
  for (let index = 0, count = 1; index < count; index++) {
    const piece = pieceOf(seal, at(index), { key, index });
    if (piece === null || (index > 0 && piece.count !== count)) return null;
    ({ count } = piece);
    parts.push(piece.part);
  }
  return inflated(Buffer.concat(parts));
}

/** Of one address in one browser. */
export function addressKey({ url, bindingHash }: Keeping): string {
  return shortHash(JSON.stringify(['kept address', bindingHash, url]));
}

type Piece = {
  readonly key: string;
  readonly index: number;
  readonly count: number;
  readonly part: Uint8Array;
};

function pieceOf(seal: Seal, sealed: readonly string[], wanted: Pick<Piece, 'key' | 'index'>): Piece | null {
  for (const text of sealed) {
    const content = seal.open('kept-address', text);
    const piece = content === null ? null : readPiece(content);
    if (piece?.key === wanted.key && piece.index === wanted.index) return piece;
  }
  return null;
}

function pieceContent({ key, index, count, part }: Piece): Uint8Array {
  const numbers = [numberField(index, 1), numberField(count, 1)];
  return Buffer.concat([numberField(VERSION, 1), hashField(key), ...numbers, bytesField(part, 2)]);
}

function readPiece(content: Uint8Array): Piece | null {
  return readRecord(content, (reader): Piece => {
    if (reader.number(1) !== VERSION) return reader.malformed();
    const key = reader.hash();
    const [index, count] = [reader.number(1), reader.number(1)];
    if (count > MAX_PIECES) return reader.malformed();
    return { key, index, count, part: reader.bytes(2) };
  });
}

/** Only what was sealed here gets this far; it is held to its bound all the same. */
function inflated(bytes: Uint8Array): string | null {
  try {
    return inflateSync(bytes, { maxOutputLength: MAX_ADDRESS_BYTES }).toString('utf8');
  } catch {
    return null;
  }
}

const VERSION = 1;
/** A query of 16 KiB, and 1 KiB for the rest. */
const MAX_ADDRESS_BYTES = 17 * 1024;
/**
 * Sealed, a piece is 3,783 characters: browsers keep 4,096 for name, value and attributes together (RFC 6265
 * section 6.1).
 */
const PIECE_BYTES = 2_682;
/** As many as the longest address takes that has all characters of addresses alike. */
export const MAX_PIECES = 6;
/** No wider than the longest address; half the memory of the default. */
const DEFLATE = { windowBits: 14, memLevel: 7 } as const;
