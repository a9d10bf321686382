// Text that strangers chose, for a terminal and for JSON lines: nothing in it can steer a terminal, move the
// cursor, turn the writing direction or fill the screen, and yet it can still be read.

/**
 * With what could steer a terminal written out, as `\x1b` and `\u{202e}`, and cut after `most` characters.
 */
export function visible(text: string, most: number): string {
  const cut = text.length > most ? `${text.slice(0, most)}…` : text;
  return cut.replaceAll(STEERING, written);
}

/**
 * One line of JSON. What JSON itself lets through, such as C1 controls, is escaped as well: a terminal may
 * show it.
 */
export function jsonLine(document: object): string {
  const text = JSON.stringify(document).replaceAll(STEERING, (character) =>
    Array.from({ length: character.length }, (_, at) => unit(character.charCodeAt(at))).join(''),
  );
  return `${text}\n`;
}

function written(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code < 0x100 ? `\\x${hex(code, 2)}` : `\\u{${hex(code, 4)}}`;
}

function unit(code: number): string {
  return `\\u${hex(code, 4)}`;
}

function hex(code: number, digits: number): string {
  return code.toString(16).padStart(digits, '0');
}

/**
 * Controls (C0, DEL, C1), formats such as those that turn the direction, line separators, halves of pairs,
 * private signs.
 */
const STEERING = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Zl}\p{Zp}]/gu;
