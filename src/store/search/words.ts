// Words of a text, as they are looked for: in lower case, and found by any part of them.

/**
 * Each once, in the order of the text, at most so many. As every database gives them back: none keeps half a
 * character, and PostgreSQL no NUL.
 */
export function wordsOf(text: string, most = Infinity): readonly string[] {
  const words = new Set<string>();
  for (const word of text.toWellFormed().toLowerCase().split(BETWEEN)) {
    if (words.size >= most) break;
    if (word !== '') words.add(cutTo(word, MAX_WORD));
  }
  return [...words];
}

/**
 * As `wordsOf()`, with all of a long word: in pieces, one of which has any part that `longPartsOf()` answers.
 */
export function piecesOf(text: string): readonly string[] {
  const words = text.toWellFormed().toLowerCase().split(BETWEEN);
  return [...new Set(words.flatMap((word) => (word === '' ? [] : overlapping([...word]))))];
}

/** The words of a text that is looked for among pieces; of a long one, its first characters. */
export function longPartsOf(text: string, most: number): readonly string[] {
  return wordsOf(text, most).map((word) => cutTo(word, MAX_WORD / 2));
}

function overlapping(characters: readonly string[]): readonly string[] {
  const pieces: string[] = [];
  for (let start = 0; start === 0 || start + MAX_WORD / 2 < characters.length; start += MAX_WORD / 2)
    pieces.push(characters.slice(start, start + MAX_WORD).join(''));
  return pieces;
}

/** What is kept of a word so that any part of it is found: what begins at each of its characters. */
export function partsOf(word: string): readonly string[] {
  const starts = startsOf(word);
  return starts === null ? partsFrom(word) : starts.map((start) => cutToPart(word.slice(start)));
}

/** Nobody looks for the middle of an id or a time, and each is another. */
function startsOf(word: string): readonly number[] | null {
  const kind = ID.exec(word)?.groups?.['kind'];
  if (kind !== undefined) return [0, ...Array.from(kind.matchAll(BETWEEN_PARTS), ({ index }) => index + 1)];
  return TIME.test(word) ? [0, DATE_LENGTH] : null;
}

/** With those that former versions kept of it. */
export function everyPartOf(word: string): readonly string[] {
  return partsFrom(word);
}

function partsFrom(word: string): readonly string[] {
  const characters = [...word];
  const parts = characters.map((_, start) => characters.slice(start, start + MAX_PART).join(''));
  return [...new Set(parts)];
}

/** What a part that is looked for begins with, as far as parts are kept. */
export function cutToPart(word: string): string {
  return cutTo(word, MAX_PART);
}

function cutTo(word: string, most: number): string {
  return word.length <= most ? word : [...word].slice(0, most).join('');
}

const BETWEEN = /[\0\s"'`“”‘’,;(){}[\]<>|→]+/;
/** An actor is one with its kind, which is a word of its own, too: "api-key:key_…". */
const ID = /^(?<kind>(?:[a-z-]+:)?)(?:[a-z]{3}_\w{20,}|[0-9a-f-]{16,})$/;
const BETWEEN_PARTS = /[-:]/g;
/** In RFC 3339, as changes tell them. */
const TIME = /^\d{4}-\d{2}-\d{2}t[\d:.]+z$/;
const DATE_LENGTH = '2026-11-23t'.length;
/** Addresses that are longer are told apart before that. */
const MAX_WORD = 100;
/**
 * A part that is longer finds few words, which are then held against all of it. Triggers keep as much of
 * sessions' addresses (`session-search.ts` of each database).
 */
const MAX_PART = 12;
/** No text has a greater character. */
export const LAST = '\u{10ffff}';
