// Every character that Unicode has room for, one at a time, for fast-check's texts. Its own `binary` means
// the same, and spends seconds of each process on a table of all of them.

import * as fc from 'fast-check';

const FIRST_SURROGATE = 0xd800;
const SURROGATES = 0x800;

export const anyCharacter: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10ffff - SURROGATES })
  .map(characterOf, numberOf);

function characterOf(number: number): string {
  return String.fromCodePoint(number < FIRST_SURROGATE ? number : number + SURROGATES);
}

/** The way back, by which fast-check puts texts together that are known for trouble. */
function numberOf(character: unknown): number {
  if (typeof character !== 'string') throw new TypeError('no text');
  const point = character.codePointAt(0);
  if (point === undefined || String.fromCodePoint(point) !== character)
    throw new TypeError('no single character');
  if (point >= FIRST_SURROGATE && point < FIRST_SURROGATE + SURROGATES)
    throw new TypeError('half a character');
  return point < FIRST_SURROGATE ? point : point - SURROGATES;
}
