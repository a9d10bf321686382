// The service's hints as they help in a browser: what names commands and flags is for terminals.

/** Null where nothing is left. */
export function browserHint(hint: string | null): string | null {
  const sentences = (hint ?? '').split(/(?<=\.)\s+/).filter((each) => each !== '' && !COMMAND.test(each));
  return sentences.length === 0 ? null : sentences.join(' ');
}

const COMMAND = /\bdoorward [a-z]|command line|(?:^|[\s"“`(])--?[a-z]/;
