// Who came lately: two numbers for each of very many texts, in half a megabyte to a few. What is only
// remembered here is nothing for the collector to look at, however many come.

/**
 * Answers whether the text was shown in the last `ms`, and remembers it. `now` on a clock that is never set.
 */
export type Lately = (text: string, now: number) => boolean;

/**
 * Texts are told apart by their ends, which are random in all that is asked here. Of two that share a place,
 * the later is remembered.
 */
export function createLately({ places, ms }: { readonly places: number; readonly ms: number }): Lately {
  const marks = new Int32Array(places);
  const others = new Int32Array(places);
  const times = new Float64Array(places).fill(-Infinity);
  return (text, now) => {
    let [mark, other] = [text.length, ~text.length];
    for (let at = Math.max(0, text.length - LOOKED_AT); at < text.length; at++) {
      const code = text.charCodeAt(at);
      mark = Math.imul(mark ^ code, FNV_PRIME);
      other = Math.imul(other + code, ODD);
    }
    const place = (mark ^ (mark >>> 15)) & (places - 1);
    if (marks[place] === mark && others[place] === other && now - times[place]! < ms) return true;
    marks[place] = mark;
    others[place] = other;
    times[place] = now;
    return false;
  };
}

/**
 * A small number for a text, by its end: whoever remembers very many by it need not look them up by the text,
 * for which the runtime would keep a copy of each in its table of strings. Another text may have the same.
 */
export function keyOfText(text: string): number {
  let key = text.length;
  for (let at = Math.max(0, text.length - LOOKED_AT); at < text.length; at++)
    key = Math.imul(key ^ text.charCodeAt(at), FNV_PRIME);
  return key;
}

/** Characters: 80 random bits. */
const LOOKED_AT = 16;
const FNV_PRIME = 16_777_619;
const ODD = 0x9e3779b1;
