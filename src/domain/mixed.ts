/** The finaliser of MurmurHash3: each bit of the result depends on every bit of the number. */
export function mixed(hash: number): number {
  let mix = hash;
  mix = Math.imul(mix ^ (mix >>> 16), 0x85ebca6b);
  mix = Math.imul(mix ^ (mix >>> 13), 0xc2b2ae35);
  return mix ^ (mix >>> 16);
}
