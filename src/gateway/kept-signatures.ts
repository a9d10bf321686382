// Signatures that are still good, by what was signed: a hundred bytes for each visitor of the last minutes,
// in flat memory. A signature is used again only for the very same text: whatever changed about a visitor is
// signed anew.

import { hash } from 'node:crypto';

export type KeptSignatures = {
  /** When the last text of that key was signed, on the caller's clock; null when it is not known any more. */
  readonly signedAt: (key: string) => number | null;
  /** The signature of this very text; null when the key's last one was another. */
  readonly find: (key: string, text: string) => Uint8Array | null;
  /** Takes the place of the key's last one. */
  readonly keep: (
    key: string,
    text: string,
    signed: { readonly at: number; readonly signature: Uint8Array },
  ) => void;
};

/** `maxPlaces`: a power of two. */
export function createKeptSignatures(maxPlaces = MAX_PLACES): KeptSignatures {
  let table = newTable(Math.min(LEAST_PLACES, maxPlaces));
  let used = 0;
  const placeOf = (key: string, keyHash: number): number | null => {
    const first = firstOf(table, keyHash);
    for (let place = first; place < first + WAYS; place++)
      if (table.keys[place] === keyHash && table.times[place]! > 0 && table.lengths[place] === key.length)
        return place;
    return null;
  };
  const grow = () => {
    const former = table;
    table = newTable(former.times.length * 2);
    used = 0;
    for (const [place, time] of former.times.entries()) {
      if (time === 0) continue;
      const into = roomFor(table, former.keys[place]!);
      if (table.times[into] === 0) used++;
      table.keys[into] = former.keys[place]!;
      table.lengths[into] = former.lengths[place]!;
      table.times[into] = time;
      table.bytes.set(former.bytes.subarray(place * BYTES, (place + 1) * BYTES), into * BYTES);
    }
  };
  return {
    signedAt: (key) => {
      const place = placeOf(key, hashOf(key));
      return place === null ? null : table.times[place]!;
    },
    find: (key, text) => {
      const place = placeOf(key, hashOf(key));
      if (place === null) return null;
      const at = place * BYTES;
      const digest = table.bytes.subarray(at, at + DIGEST_BYTES);
      if (digestOf(text).compare(digest) !== 0) return null;
      return table.bytes.slice(at + DIGEST_BYTES, at + BYTES);
    },
    keep: (key, text, { at: time, signature }) => {
      if (signature.length !== SIGNATURE_BYTES || time <= 0) return;
      if (used * 2 > table.times.length && table.times.length < maxPlaces) grow();
      const keyHash = hashOf(key);
      const place = placeOf(key, keyHash) ?? roomFor(table, keyHash);
      if (table.times[place] === 0) used++;
      table.keys[place] = keyHash;
      table.lengths[place] = key.length;
      table.times[place] = time;
      table.bytes.set(digestOf(text), place * BYTES);
      table.bytes.set(signature, place * BYTES + DIGEST_BYTES);
    },
  };
}

type Table = {
  readonly keys: Int32Array;
  readonly lengths: Uint16Array;
  /** 0: nothing is there. */
  readonly times: Float64Array;
  /** Of each the digest of the text, and the signature. */
  readonly bytes: Uint8Array;
};

function newTable(places: number): Table {
  return {
    keys: new Int32Array(places),
    lengths: new Uint16Array(places),
    times: new Float64Array(places),
    bytes: new Uint8Array(places * BYTES),
  };
}

/** A key may be in one of a few places next to each other. */
function firstOf({ times }: Table, keyHash: number): number {
  return (keyHash ^ (keyHash >>> 15)) & (times.length - WAYS);
}

/** The free one, else the oldest. */
function roomFor(table: Table, keyHash: number): number {
  const first = firstOf(table, keyHash);
  let oldest = first;
  for (let place = first; place < first + WAYS; place++)
    if (table.times[place]! < table.times[oldest]!) oldest = place;
  return oldest;
}

function hashOf(key: string): number {
  let found = key.length;
  for (let at = 0; at < key.length; at++) found = Math.imul(found ^ key.charCodeAt(at), FNV_PRIME);
  return found;
}

/** Nobody finds two texts with the same 128 bits of SHA-256, let alone of texts that the gateway makes. */
function digestOf(text: string): Buffer {
  return hash('sha256', text, 'buffer').subarray(0, DIGEST_BYTES);
}

const WAYS = 4;
const LEAST_PLACES = 1_024;
/** 24 MB, when more than a hundred thousand came within minutes. */
const MAX_PLACES = 1 << 18;
const DIGEST_BYTES = 16;
/** Of ES256. */
const SIGNATURE_BYTES = 64;
const BYTES = DIGEST_BYTES + SIGNATURE_BYTES;
const FNV_PRIME = 16_777_619;
