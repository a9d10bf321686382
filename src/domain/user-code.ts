// The short code of a login by device (RFC 8628 section 6.1): what a person types from one screen into
// another. Consonants alone, so that it spells no word and no letter is taken for a digit: 8 of 20 are 34
// bits.

import { randomBytes } from './secret.ts';

/** A fresh code, as `parseUserCode` answers it: `BCDFGHJK`. */
export function newUserCode(): string {
  let code = '';
  while (code.length < CODE_LETTERS)
    for (const byte of randomBytes(CODE_LETTERS))
      // What does not divide evenly is drawn again.
      if (byte < LETTERS.length * EVEN && code.length < CODE_LETTERS) code += LETTERS[byte % LETTERS.length];
  return code;
}

/** As people read it: `BCDF-GHJK`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, CODE_LETTERS / 2)}-${code.slice(CODE_LETTERS / 2)}`;
}

/** What somebody typed, whatever its case and dashes; null when it cannot be one. */
export function parseUserCode(text: string): string | null {
  const code = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return CODE.test(code) ? code : null;
}

const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ';
const CODE_LETTERS = 8;
/** How often the letters fit into a byte. */
const EVEN = Math.floor(256 / LETTERS.length);
const CODE = new RegExp(`^[${LETTERS}]{${CODE_LETTERS}}$`);
