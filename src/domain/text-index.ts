// Numbers by texts, in flat memory that threads can share: sixteen bytes for each or so, where a `Map` keeps
// the texts, too. It holds hashes alone: whoever looks up says whether a number is that of the text.

import { mixed } from './mixed.ts';
import { randomBytes } from './secret.ts';

export type TextIndex = {
  /** Secret, so that nobody can choose texts that share a place. */
  readonly seed: number;
  /** Of the text at each place. */
  readonly hashes: Int32Array;
  /** One more than the number; 0: nothing is there. */
  readonly numbers: Int32Array;
};

export type GrowingTextIndex = {
  readonly add: (text: string, number: number) => void;
  /** As it is now. */
  readonly index: () => TextIndex;
};

export function createTextIndex(): GrowingTextIndex {
  const seed = randomBytes(4).readInt32LE();
  let index = emptyIndex(seed, LEAST_PLACES);
  let used = 0;
  const grow = () => {
    const former = index;
    index = emptyIndex(seed, former.numbers.length * 2);
    for (const [place, number] of former.numbers.entries())
      if (number !== 0) put(index, former.hashes[place]!, number);
  };
  return {
    add: (text, number) => {
      if (++used * 2 > index.numbers.length) grow();
      put(index, hashOf(text, seed), number + 1);
    },
    index: () => index,
  };
}

/** The greatest number of that text: it was added last. `isIt` is asked of few others, if of any. */
export function numberOf(
  { seed, hashes, numbers }: TextIndex,
  text: string,
  isIt: (number: number) => boolean,
): number | null {
  const hash = hashOf(text, seed);
  const mask = numbers.length - 1;
  let found: number | null = null;
  for (let place = hash & mask; numbers[place] !== 0; place = (place + 1) & mask) {
    const number = numbers[place]! - 1;
    if (hashes[place] === hash && number > (found ?? -1) && isIt(number)) found = number;
  }
  return found;
}

function emptyIndex(seed: number, places: number): TextIndex {
  const bytes = places * Int32Array.BYTES_PER_ELEMENT;
  return {
    seed,
    hashes: new Int32Array(new SharedArrayBuffer(bytes)),
    numbers: new Int32Array(new SharedArrayBuffer(bytes)),
  };
}

function put({ hashes, numbers }: TextIndex, hash: number, number: number): void {
  const mask = numbers.length - 1;
  let place = hash & mask;
  while (numbers[place] !== 0) place = (place + 1) & mask;
  hashes[place] = hash;
  numbers[place] = number;
}

/** Mixed with each character: which texts collide depends on the seed. */
function hashOf(text: string, seed: number): number {
  let hash = seed;
  for (let at = 0; at < text.length; at++) hash = mixed(hash ^ text.charCodeAt(at));
  return hash;
}

/** A power of two, as all that it grows to. */
const LEAST_PLACES = 16;
