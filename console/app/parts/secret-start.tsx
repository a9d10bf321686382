// The first characters of a key or token in a list, by which one that was found is known again.

/** Nothing for one that was created before they were kept. */
export function SecretStart({ start }: { readonly start: string | null }) {
  return start === null ? null : <code>{start}…</code>;
}
