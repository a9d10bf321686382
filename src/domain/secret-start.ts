// The first characters of a key or a token, by which somebody who finds it can tell which one it is: its
// kind, and 6 of the 43 characters after that. They are 36 of 256 random bits; the 220 others are as hard to
// guess as before.

import type { Secret } from './secret.ts';

/** Such as `dw_9fK2xA`. */
export function secretStart(secret: Secret): string {
  const text = secret.reveal();
  return text.slice(0, text.indexOf('_') + 1 + SHOWN_CHARACTERS);
}

const SHOWN_CHARACTERS = 6;
