// Triple DES in CBC mode (FIPS 46-3, SP 800-67), to encrypt. Key stores for some devices need it, and
// browsers do not bring it. It runs in browsers, too. Its time depends on the key: for a file that is made
// once, where nobody can measure that.

/** PKCS #7 padding is added. `key` has 24 bytes, `iv` 8. */
export function encryptTripleDes(plain: Uint8Array, key: Uint8Array, iv: Uint8Array): Uint8Array {
  const [first, second, third] = [0, 8, 16].map((at) => roundKeys(bitsOf(key.subarray(at, at + 8))));
  if (first === undefined || second === undefined || third === undefined) throw new RangeError('No key');
  const padding = BLOCK - (plain.length % BLOCK);
  const padded = new Uint8Array(plain.length + padding).fill(padding);
  padded.set(plain);
  const result = new Uint8Array(padded.length);
  let previous = bitsOf(iv);
  for (let at = 0; at < padded.length; at += BLOCK) {
    const block = xor(bitsOf(padded.subarray(at, at + BLOCK)), previous);
    previous = crypt(crypt(crypt(block, first), second.toReversed()), third);
    result.set(bytesOf(previous), at);
  }
  return result;
}

type Bits = readonly number[];

/** One DES: encrypts with the round keys in their order, decrypts with them in the other. */
function crypt(block: Bits, keys: readonly Bits[]): Bits {
  const permuted = permute(block, INITIAL);
  let [left, right] = [permuted.slice(0, 32), permuted.slice(32)];
  for (const key of keys) [left, right] = [right, xor(left, feistel(right, key))];
  return permute([...right, ...left], FINAL);
}

function feistel(half: Bits, key: Bits): Bits {
  const mixed = xor(permute(half, EXPANSION), key);
  const substituted = BOXES.flatMap((box, index) => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = mixed.slice(index * 6, index * 6 + 6);
    const value = Number.parseInt(box[a * 32 + f * 16 + b * 8 + c * 4 + d * 2 + e] ?? '0', 16);
    return [8, 4, 2, 1].map((weight) => (value & weight ? 1 : 0));
  });
  return permute(substituted, PERMUTATION);
}

function roundKeys(key: Bits): readonly Bits[] {
  const chosen = permute(key, CHOICE_1);
  let [c, d] = [chosen.slice(0, 28), chosen.slice(28)];
  return [...SHIFTS].map((shift) => {
    const by = Number(shift);
    c = [...c.slice(by), ...c.slice(0, by)];
    d = [...d.slice(by), ...d.slice(0, by)];
    return permute([...c, ...d], CHOICE_2);
  });
}

/** Tables count bits from 1, as the standard does. */
function permute(bits: Bits, table: readonly number[]): number[] {
  return table.map((from) => bits[from - 1] ?? 0);
}

function xor(a: Bits, b: Bits): number[] {
  return a.map((bit, index) => bit ^ (b[index] ?? 0));
}

function bitsOf(bytes: Uint8Array): Bits {
  return [...bytes].flatMap((byte) => [7, 6, 5, 4, 3, 2, 1, 0].map((bit) => (byte >> bit) & 1));
}

function bytesOf(bits: Bits): Uint8Array {
  return Uint8Array.from({ length: bits.length / 8 }, (_, index) =>
    bits.slice(index * 8, index * 8 + 8).reduce((byte, bit) => byte * 2 + bit, 0),
  );
}

const BLOCK = 8;
/** Rows of eight, each counting down by eight from its first. */
const INITIAL = [58, 60, 62, 64, 57, 59, 61, 63].flatMap(downFrom);
/** The inverse of `INITIAL`. */
const FINAL = INITIAL.map((_, index) => INITIAL.indexOf(index + 1) + 1);
/** Six bits around each four. */
const EXPANSION = [0, 4, 8, 12, 16, 20, 24, 28].flatMap((at) =>
  [at, at + 1, at + 2, at + 3, at + 4, at + 5].map((bit) => ((bit + 31) % 32) + 1),
);
const PERMUTATION = [
  16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22,
  11, 4, 25,
];
const CHOICE_1 = [
  57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36,
  63, 55, 47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];
const CHOICE_2 = [
  14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37, 47,
  55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];
/** How far the halves of the key turn before each round. */
const SHIFTS = '1122222212222221';
/** Each box has four rows of sixteen, as hex digits. */
const BOXES = [
  'e4d12fb83a6c59070f74e2d1a6cb953841e8d62bfc973a50fc8249175b3ea06d',
  'f18e6b34972dc05a3d47f28ec01a69b50e7ba4d158c6932fd8a13f42b67c05e9',
  'a09e63f51dc7b428d709346a285ecbf1d6498f30b12c5ae71ad069874fe3b52c',
  '7de3069a1285bc4fd8b56f03472c1ae9a690cb7df13e52843f06a1d8945bc72e',
  '2c417ab6853fd0e9eb2c47d150fa3986421bad78f9c5630eb8c71e2d6f09a453',
  'c1af92680d34e75baf427c9561de0b389ef528c3704a1db6432c95fabe17608d',
  '4b2ef08d3c975a61d0b7491ae35c2f8614bdc37eaf6805926bd814a7950fe23c',
  'd2846fb1a93e50c71fd8a374c56b0e927b419ce206adf35821e74a8dfc90356b',
];

function downFrom(first: number): number[] {
  return [0, 8, 16, 24, 32, 40, 48, 56].map((step) => first - step);
}
