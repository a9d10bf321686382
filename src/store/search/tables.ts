// The columns of the words that are looked for, as the database has them.

/** A word of one scope, such as the audit log of an account; each once. */
export type SearchWordsTable = { id: number; scope: string; word: string };

/** Each part of each word, in the order of bytes: whatever begins with a text stands together. */
export type SearchPartsTable = { scope: string; part: string; word_id: number };

/** One row: the last id given to a word. Whoever adds words holds it. */
export type SearchCounterTable = { id: number; number: number };
