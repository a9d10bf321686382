// Passphrases for key stores: made here, read off a screen and typed once by a person. It runs in browsers,
// too.

/** 100 random bits as `xxxx-xxxx-xxxx-xxxx-xxxx`, without letters and digits that look alike. */
export function newPassphrase(): string {
  const random = crypto.getRandomValues(new Uint8Array(GROUPS * GROUP_LENGTH));
  const characters = Array.from(random, (byte) => ALPHABET[byte % ALPHABET.length]);
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    characters.slice(index * GROUP_LENGTH, (index + 1) * GROUP_LENGTH).join(''),
  );
  return groups.join('-');
}

/** 32 of them, so that each byte gives five even bits. */
const ALPHABET = 'abcdefghijkmnpqrstuvwxyz23456789';
const GROUPS = 5;
const GROUP_LENGTH = 4;
