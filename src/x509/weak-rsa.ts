// RSA moduli that anybody can factor, as public authorities refuse them (CA/Browser Forum Baseline
// Requirements, section 6.1.1.3): whoever can is whoever the certificate names. The time is bounded: a
// fortieth of a second for 4096 bits.

import { checkPrimeSync } from 'node:crypto';

/** What is wrong with it, as a clause for people; null for nothing that is looked for here. */
export function rsaWeakness(modulus: bigint): string | null {
  if (SMALL_PRIMES.some((prime) => modulus % prime === 0n)) return 'an RSA key that a small prime divides';
  if (hasRocaForm(modulus)) return 'an RSA key of the form that broken chips make (ROCA, CVE-2017-15361)';
  if (hasCloseFactors(modulus)) return 'an RSA key whose two primes are the same, or too close to each other';
  if (checkPrimeSync(modulus, ONE_ROUND)) return 'an RSA key whose modulus is a prime itself';
  return null;
}

/**
 * Primes of CVE-2017-15361 are k * M + (65537 ^ a mod M), with a product M of small primes: so both they and
 * the modulus are powers of 65537 modulo each of them. Of other moduli one in a hundred million is.
 */
function hasRocaForm(modulus: bigint): boolean {
  return ROCA_REMAINDERS.every(([prime, powers]) => powers.has(modulus % prime));
}

/**
 * Fermat's way: n = a² - b², with a near the root of n where the factors are close. Round 0 finds two that
 * are the same.
 */
function hasCloseFactors(modulus: bigint): boolean {
  let a = squareRoot(modulus);
  if (a * a < modulus) a += 1n;
  for (let round = 0; round < FERMAT_ROUNDS; round++, a += 1n) {
    const square = a * a - modulus;
    // Squares end in these bits alone: five of six others are told by that.
    if (!SQUARES_MOD_64.has(Number(square & 63n))) continue;
    const b = squareRoot(square);
    if (b * b === square) return true;
  }
  return false;
}

/** Rounded down, by Newton's method from above. */
function squareRoot(value: bigint): bigint {
  if (value < 2n) return value;
  let root = 1n << BigInt(Math.ceil(value.toString(16).length / 2) * 4);
  for (;;) {
    const next = (root + value / root) >> 1n;
    if (next >= root) return root;
    root = next;
  }
}

function primesBelow(end: number): bigint[] {
  const isComposite = new Uint8Array(end);
  const primes: bigint[] = [];
  for (let candidate = 2; candidate < end; candidate++) {
    if (isComposite[candidate] === 1) continue;
    primes.push(BigInt(candidate));
    for (let multiple = candidate * candidate; multiple < end; multiple += candidate)
      isComposite[multiple] = 1;
  }
  return primes;
}

function powersOf(base: bigint, prime: bigint): ReadonlySet<bigint> {
  const powers = new Set<bigint>();
  for (let power = 1n; !powers.has(power); power = (power * base) % prime) powers.add(power);
  return powers;
}

/**
 * Of Miller and Rabin: each prime passes, and no product that was not made to. A third of the time of a test
 * in BigInts.
 */
const ONE_ROUND = { checks: 1 };
/** Two milliseconds; far more than the 752 that public authorities ask for. */
const SMALL_PRIMES = primesBelow(65_536);
/**
 * As public authorities do: a hundred rounds find primes that share the first half of their bits, give or
 * take a few.
 */
const FERMAT_ROUNDS = 100;
const SQUARES_MOD_64: ReadonlySet<number> = new Set(Array.from({ length: 64 }, (_, root) => root ** 2 % 64));
/** Those below 160 of which 65537 makes few remainders ("The Return of Coppersmith's Attack", 2017). */
const ROCA_REMAINDERS = [
  11n,
  13n,
  17n,
  19n,
  37n,
  53n,
  61n,
  71n,
  73n,
  79n,
  97n,
  103n,
  107n,
  109n,
  127n,
  151n,
  157n,
].map((prime) => [prime, powersOf(65_537n, prime)] as const);
