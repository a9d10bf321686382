// A text that somebody typed, for LIKE: it means itself, wherever it stands.

/** The escape is `!`, which both databases take as it is. */
export function likePart(text: string): string {
  return likeLower(text.toLowerCase());
}

/**
 * As each database may have it in lower case: `lower()` of SQLite, and of PostgreSQL in the locale C, leaves
 * capitals beyond ASCII as they are.
 */
export function likeParts(text: string): readonly string[] {
  const ascii = text.replaceAll(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
  return [...new Set([likePart(text), likeLower(ascii)])];
}

function likeLower(lower: string): string {
  return `%${lower.replace(/[!%_]/g, (sign) => `!${sign}`)}%`;
}
