// A text that somebody typed, for LIKE: it means itself, wherever it stands.

/** The escape is `!`, which both databases take as it is. */
export function likePart(text: string): string {
  return `%${text.toLowerCase().replace(/[!%_]/g, (sign) => `!${sign}`)}%`;
}
