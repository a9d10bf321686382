// How many trailers are passed on, in either direction: as many as a head may have at every hop. What is more
// is left out whole: the message before it is whole, and half of the trailers could be taken for all of them.

/** None of them where they are too many or too large. `trailers` is flat. */
export function withinBounds(trailers: readonly string[]): readonly string[] {
  if (trailers.length > 2 * MAX_TRAILERS) return NONE;
  let characters = 0;
  for (const text of trailers) characters += text.length;
  return characters > MAX_TRAILER_CHARACTERS ? NONE : trailers;
}

const NONE: readonly string[] = [];
const MAX_TRAILERS = 100;
const MAX_TRAILER_CHARACTERS = 32_768;
