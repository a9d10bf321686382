// The `prompt` parameter (OpenID Connect Core section 3.1.2.1): a set of words, `none` alone or not at all.

/** The given words, each once, in order; null when there are none. */
export function joinPrompt(...words: readonly (string | null)[]): string | null {
  const all = new Set(words.flatMap((word) => word?.split(' ') ?? []).filter((word) => word !== ''));
  if (all.size > 1) all.delete('none');
  return all.size === 0 ? null : [...all].join(' ');
}
