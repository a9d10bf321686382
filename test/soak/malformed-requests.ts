// Certificate signing requests cut, turned, nested and huge (THREATS "Certificates"): each is refused as a
// request that is none, or is one. Nothing else is thrown, nothing is taken that a second, plain reader of
// DER refuses, and none takes long.

import assert from 'node:assert/strict';
import { CsrRefused, parseCsr, parseCsrDer } from '../../src/x509/csr.ts';
import { sequence, write } from '../../src/x509/der.ts';
import { pem } from '../../src/x509/pem.ts';
import { craftedRequest, extensionsAsked, nameOf, nested } from '../support/crafted-request.ts';
import { OPENSSL_ALGORITHMS, opensslCsr } from '../support/openssl.ts';
import { broken, type Dice, diceOf } from './mutations.ts';

export type MalformedFound = {
  readonly inputs: number;
  readonly accepted: number;
  readonly slowestMs: number;
};

/** Throws for the first that is not dealt with as it should be, and tells the seed. */
export function readMalformedRequests(inputs: number, seed: number = Date.now()): MalformedFound {
  const dice = diceOf(seed);
  const good = goodRequests();
  const keys = new Set(good.map((der) => keyText(parseCsrDer(der).spki)));
  let accepted = 0;
  let slowestMs = 0;
  for (let input = 0; input < inputs; input++) {
    const { text, der } = dice.pick(MAKERS)(dice.pick(good), dice);
    slowestMs = Math.max(slowestMs, readingMs(text));
    try {
      const { spki } = parseCsr(text);
      accepted++;
      assert.ok(der !== null && isDer(der), 'it is DER');
      assert.ok(keys.has(keyText(spki)), 'its key is one that signs here');
    } catch (error) {
      if (!(error instanceof CsrRefused))
        throw new Error(`seed ${seed}, input ${input}: ${text.slice(0, 4_000)}`, { cause: error });
    }
  }
  return { inputs, accepted, slowestMs };
}

/**
 * The quickest of five where one took long: on a busy machine, anything may be interrupted, but hardly five
 * times.
 */
function readingMs(text: string): number {
  let quickestMs = Infinity;
  for (let round = 0; round < 5 && quickestMs > LONG_MS; round++) {
    const startedAt = performance.now();
    try {
      parseCsr(text);
    } catch {
      // What it is refused for is looked at elsewhere.
    }
    quickestMs = Math.min(quickestMs, performance.now() - startedAt);
  }
  return quickestMs;
}

/** `der`: what the text holds, for those that are to be judged a second time. */
type Malformed = { readonly text: string; readonly der: Buffer | null };

const MAKERS: readonly ((good: Buffer, dice: Dice) => Malformed)[] = [
  (good, dice) => asText(broken(good, dice)),
  (good, dice) => asText(broken(good, dice)),
  // Signed all the same, so that the form alone decides.
  (_good, dice) =>
    asText(craftedRequest({ subject: write(0x30, broken(nameOf('somebody').subarray(2), dice)) })),
  (_good, dice) =>
    asText(craftedRequest({ attributes: write(0xa0, broken(SOME_ATTRIBUTES.subarray(2), dice)) })),
  (_good, dice) => asText(craftedRequest({ attributes: extensionsAsked(nested(dice.below(400))) })),
  (_good, dice) =>
    asText(craftedRequest({ moreInfo: dice.bytes(dice.below(3)), more: dice.bytes(dice.below(3)) })),
  (good, dice) => asText(floors(good, 1 + dice.below(3_000))),
  (_good, dice) =>
    asText(
      Buffer.concat([
        Buffer.from([0x30, 0x82, 0x3f, dice.below(256)]),
        Buffer.alloc(dice.below(20_000), 0x30),
      ]),
    ),
  (_good, dice) => asText(dice.bytes(dice.below(300))),
  (good, dice) => {
    const text = broken(Buffer.from(pem('CERTIFICATE REQUEST', good)), dice).toString('latin1');
    return { text, der: good };
  },
  (good, dice) => ({
    text:
      dice.pick(['A', '-----BEGIN ', '\n', '=', ' \u{1f600}']).repeat(dice.below(40_000)) +
      pem('CERTIFICATE REQUEST', good),
    der: good,
  }),
];

function asText(der: Buffer): Malformed {
  return { text: der.toString('base64'), der };
}

/** The request in sequences in sequences. */
function floors(der: Uint8Array, depth: number): Buffer {
  let whole = der;
  for (let floor = 0; floor < depth && whole.length < 16_000; floor++) whole = sequence(whole);
  return Buffer.from(whole);
}

function goodRequests(): readonly Buffer[] {
  const asks = ['-addext', 'subjectAltName=DNS:a.example', '-addext', 'basicConstraints=CA:TRUE'];
  const kinds = ['RSA-2048', 'P-256', 'P-384', 'Ed25519'] as const;
  const made = kinds.map((kind) => derOf(opensslCsr(OPENSSL_ALGORITHMS[kind], asks).csr));
  return [...made, craftedRequest({ attributes: SOME_ATTRIBUTES })];
}

function derOf(text: string): Buffer {
  return Buffer.from(text.replace(/-----[^-]+-----|\s/g, ''), 'base64');
}

function keyText(spki: Uint8Array): string {
  return Buffer.from(spki).toString('base64');
}

/**
 * Another reader than the one under test, as plain as can be: one value with nothing behind it, and so on
 * inside.
 */
function isDer(bytes: Buffer): boolean {
  const end = endOfValue(bytes, 0);
  return end === bytes.length && isRowOfDer(bytes, 0, end);
}

function isRowOfDer(bytes: Buffer, from: number, end: number): boolean {
  for (let at = from; at < end;) {
    const next = endOfValue(bytes, at);
    if (next === null || next > end) return false;
    const constructed = ((bytes[at] ?? 0) & 0x20) !== 0;
    if (constructed && !isRowOfDer(bytes, contentOf(bytes, at), next)) return false;
    at = next;
  }
  return true;
}

function contentOf(bytes: Buffer, at: number): number {
  const first = bytes[at + 1] ?? 0;
  return at + 2 + (first > 0x80 ? first & 0x7f : 0);
}

function endOfValue(bytes: Buffer, at: number): number | null {
  const first = bytes[at + 1];
  if (first === undefined || first === 0x80 || first > 0x82 || ((bytes[at] ?? 0) & 0x1f) === 0x1f)
    return null;
  const digits = bytes.subarray(at + 2, contentOf(bytes, at));
  if (digits.length < contentOf(bytes, at) - at - 2) return null;
  const length = first < 0x80 ? first : digits.readUIntBE(0, digits.length);
  if (first > 0x80 && length < (first === 0x81 ? 0x80 : 0x100)) return null;
  return contentOf(bytes, at) + length;
}

const LONG_MS = 5;
const SOME_ATTRIBUTES = extensionsAsked(nested(2));
