// The token that the link brought.

/** The token in a link, or in what was pasted; null when there is none that is whole. */
export function tokenIn(text: string): string | null {
  return TOKEN.exec(text)?.[1] ?? null;
}

const TOKEN = /(?:^|[^\w-])(crt_[\w-]{43})(?![\w-])/;
