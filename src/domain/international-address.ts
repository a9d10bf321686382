// Addresses and patterns beyond ASCII (RFC 6531), brought into one form so that two spellings of one address
// are one text: the domain as ASCII (IDNA), the rest in NFC and lower case. What could pass for another text,
// or is seen by nobody, is refused: characters that compatibility or case turn into ASCII, invisible ones,
// symbols.

/** `text` has exactly one `@`, and something beyond ASCII. Null for what is no address. */
export function internationalAddress(text: string): string | null {
  const [local = '', domain = '', ...more] = text.split('@');
  const found = more.length > 0 ? null : asciiDomain(domain);
  const first = internationalText(local);
  // A mark joins what stands before it, which here would be something else than the address.
  return found === null || first === null || /^\p{M}/u.test(first) ? null : `${first}@${found}`;
}

/**
 * In NFC, with letters beyond ASCII and those beside them in lower case; null when there is a character that
 * may not be.
 */
export function internationalText(text: string): string | null {
  if (!hasBeyondAscii(text)) return text;
  if (![...text].every(isAsciiOrLetter)) return null;
  const lower = [...text.normalize('NFC')]
    .map((each) => each.toLowerCase())
    .join('')
    .normalize('NFC');
  return [...lower].every(isAsciiOrLetter) ? lower : null;
}

/** A domain, or one label of it, in lower case and ASCII; null when it cannot be written so. */
export function asciiDomain(text: string): string | null {
  if (!hasBeyondAscii(text)) return text.toLowerCase();
  const name = internationalText(text);
  if (name === null || ASCII_OF_NO_NAME.test(name)) return null;
  const found = URL.parse(`http://${name}`)?.hostname ?? '';
  return ASCII_NAME.test(found) && found.includes('xn--') ? found : null;
}

export function hasBeyondAscii(text: string): boolean {
  return BEYOND_ASCII.test(text);
}

/** Letters, marks and digits that stay what they are: `K` (Kelvin), `ｋ` and `İ` do not. */
function isAsciiOrLetter(character: string): boolean {
  if (character <= '\x7f') return true;
  const lower = character.toLowerCase();
  return (
    LETTER.test(character) &&
    !INVISIBLE.test(character) &&
    !ASCII.test(character.normalize('NFKC')) &&
    !ASCII.test(lower) &&
    [...lower].length === 1
  );
}

const BEYOND_ASCII = /[^\0-\x7f]/;
// oxlint-disable-next-line no-control-regex -- all of ASCII is meant
const ASCII = /[\0-\x7f]/;
const LETTER = /^[\p{L}\p{M}\p{Nd}]$/u;
const INVISIBLE = /\p{Default_Ignorable_Code_Point}/u;
// oxlint-disable-next-line no-control-regex -- as `ASCII`
const ASCII_OF_NO_NAME = /[\0-,/:-`{-\x7f]/;
const ASCII_NAME = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63})*$/;
