// The id of a session as numbers: its 26 digits of five bits, six to a number.

import type { SessionId } from '../domain/id.ts';

export const ID_WORDS = 5;

/** False for what is no id as `newId()` makes it. */
export function packId(id: string, words: Uint32Array): id is SessionId {
  if (id.length !== ID_LENGTH || !id.startsWith(PREFIX)) return false;
  let at = PREFIX.length;
  for (let word = 0; word < ID_WORDS; word++) {
    const end = Math.min(at + DIGITS_IN_WORD, ID_LENGTH);
    let packed = 0;
    for (; at < end; at++) {
      const digit = DIGITS[id.charCodeAt(at)];
      if (digit === undefined || digit === NONE) return false;
      packed = (packed << 5) | digit;
    }
    words[word] = packed;
  }
  return true;
}

const PREFIX = 'ses_';
const ID_LENGTH = 30;
const DIGITS_IN_WORD = 6;
const NONE = 255;
/** By character code. */
const DIGITS = new Uint8Array(128).fill(NONE);
for (const [digit, character] of [...'0123456789abcdefghjkmnpqrstvwxyz'].entries())
  DIGITS[character.charCodeAt(0)] = digit;
