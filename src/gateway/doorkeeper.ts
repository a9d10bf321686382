// Who came before, lately: a guess from 256 KB. A cache that takes in only those who come a second time is not
// emptied, and gives the collector nothing to do, when very many come once.

/**
 * Answers whether the text was shown before, unless others took its place since; and remembers it. Texts are
 * told apart by their ends, which are random in all that is asked here; a mistake costs a place in a cache.
 */
export function createDoorkeeper(): (text: string) => boolean {
  const places = new Int32Array(PLACES);
  return (text) => {
    let hash = text.length;
    for (let at = Math.max(0, text.length - LOOKED_AT); at < text.length; at++)
      hash = Math.imul(hash ^ text.charCodeAt(at), FNV_PRIME);
    const place = (hash ^ (hash >>> 15)) & (PLACES - 1);
    const came = places[place] === hash;
    places[place] = hash;
    return came;
  };
}

const PLACES = 1 << 16;
/** Characters: 80 random bits. */
const LOOKED_AT = 16;
const FNV_PRIME = 16_777_619;
