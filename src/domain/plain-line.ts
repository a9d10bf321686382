// A line of text that people read beside others': it turns the direction of none of them, and ends where it
// ends.

/** Something to read, of at most so many characters. */
export function isPlainLine(text: string, most: number): boolean {
  return (
    text.trim() === text && [...text].length <= most && /[\p{L}\p{N}]/u.test(text) && !hasUnfitMarks(text)
  );
}

export function hasUnfitMarks(text: string): boolean {
  return UNFIT.test(text);
}

/** With a space in the place of each. */
export function withoutUnfitMarks(text: string): string {
  return text.replaceAll(EACH_UNFIT, ' ');
}

// Control characters, line ends, and the marks that turn the direction of what follows.
const UNFIT = /[\p{Cc}\p{Zl}\p{Zp}\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069]/u;
const EACH_UNFIT = new RegExp(UNFIT, 'gu');
