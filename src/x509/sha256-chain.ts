// SHA-256 of SHA-256 of SHA-256… (FIPS 180-4), as the key derivation of PKCS #12 asks for a million times.
// WebCrypto takes a call and a turn for each; this takes a third of a microsecond. It runs in browsers, too.

/** Hashes the 32 bytes `rounds` times. Others have their turn now and then. */
export async function sha256Chain(
  digest: Uint8Array<ArrayBuffer>,
  rounds: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const view = new DataView(digest.buffer, digest.byteOffset);
  const words = Int32Array.from({ length: 8 }, (_, index) => view.getInt32(4 * index));
  for (let left = rounds; left > 0; left -= ROUNDS_A_TURN) {
    for (let round = Math.min(left, ROUNDS_A_TURN); round > 0; round--) hashWords(words);
    await new Promise((resolve) => setTimeout(resolve));
  }
  const chained = new Uint8Array(32);
  const out = new DataView(chained.buffer);
  for (const [index, value] of words.entries()) out.setInt32(4 * index, value);
  return chained;
}

/** One block: the eight words, the bit that ends a message, and its length (section 5.1.1). */
function hashWords(words: Int32Array): void {
  SCHEDULE.set(words);
  SCHEDULE.set(PADDING, 8);
  for (let at = 16; at < 64; at++) {
    const near = word(SCHEDULE, at - 2);
    const far = word(SCHEDULE, at - 15);
    const near1 = turned(near, 17) ^ turned(near, 19) ^ (near >>> 10);
    const far0 = turned(far, 7) ^ turned(far, 18) ^ (far >>> 3);
    SCHEDULE[at] = near1 + word(SCHEDULE, at - 7) + far0 + word(SCHEDULE, at - 16);
  }
  let a = word(START, 0);
  let b = word(START, 1);
  let c = word(START, 2);
  let d = word(START, 3);
  let e = word(START, 4);
  let f = word(START, 5);
  let g = word(START, 6);
  let h = word(START, 7);
  for (let at = 0; at < 64; at++) {
    const sum1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const choice = (e & f) ^ (~e & g);
    const first = (h + sum1 + choice + word(CONSTANTS, at) + word(SCHEDULE, at)) | 0;
    const sum0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    h = g;
    g = f;
    f = e;
    e = (d + first) | 0;
    d = c;
    c = b;
    b = a;
    a = (first + sum0 + majority) | 0;
  }
  for (const [index, value] of [a, b, c, d, e, f, g, h].entries()) words[index] = value + word(START, index);
}

function word(words: Int32Array, index: number): number {
  return words[index] ?? 0;
}

function turned(value: number, by: number): number {
  return (value >>> by) | (value << (32 - by));
}

function wordsOf(hex: string): Int32Array {
  return Int32Array.from(hex.trim().split(/\s+/), (digits) => Number.parseInt(digits, 16) | 0);
}

/** Section 5.3.3. */
const START = wordsOf('6a09e667 bb67ae85 3c6ef372 a54ff53a 510e527f 9b05688c 1f83d9ab 5be0cd19');
/** Section 4.2.2. */
const CONSTANTS = wordsOf(`
  428a2f98 71374491 b5c0fbcf e9b5dba5 3956c25b 59f111f1 923f82a4 ab1c5ed5 d807aa98 12835b01 243185be
  550c7dc3 72be5d74 80deb1fe 9bdc06a7 c19bf174 e49b69c1 efbe4786 0fc19dc6 240ca1cc 2de92c6f 4a7484aa
  5cb0a9dc 76f988da 983e5152 a831c66d b00327c8 bf597fc7 c6e00bf3 d5a79147 06ca6351 14292967 27b70a85
  2e1b2138 4d2c6dfc 53380d13 650a7354 766a0abb 81c2c92e 92722c85 a2bfe8a1 a81a664b c24b8b70 c76c51a3
  d192e819 d6990624 f40e3585 106aa070 19a4c116 1e376c08 2748774c 34b0bcb5 391c0cb3 4ed8aa4a 5b9cca4f
  682e6ff3 748f82ee 78a5636f 84c87814 8cc70208 90befffa a4506ceb bef9a3f7 c67178f2`);
/** What follows 32 bytes in their block. */
const PADDING = [0x80000000 | 0, 0, 0, 0, 0, 0, 0, 256];
/** Some tens of milliseconds. */
const ROUNDS_A_TURN = 100_000;
/** Used within one call alone. */
const SCHEDULE = new Int32Array(64);
