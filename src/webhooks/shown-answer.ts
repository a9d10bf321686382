// The beginning of a receiver's answer as text that is safe to keep and to show: no control or invisible
// characters but line breaks and tabs, and nothing by which anybody could sign or replay a delivery, which a
// receiver may send back.

import type { Secret } from '../domain/secret.ts';

export function shownAnswer(body: Uint8Array, secrets: readonly Secret[]): string {
  const decoder = new TextDecoder();
  // As a stream, so that a character that is cut at the end is left out.
  const read = decoder.decode(body.subarray(0, READ_BYTES), { stream: true });
  const told = secrets.reduce((text, secret) => text.replaceAll(secret.reveal(), HIDDEN), read);
  const shown = told
    .replaceAll(SIGNATURES, `v1=${HIDDEN}`)
    .replaceAll(UNSEEN, (character) => (LINES.has(character) ? character : '\ufffd'));
  const first = new TextEncoder().encode(shown).subarray(0, SHOWN_BYTES);
  return new TextDecoder().decode(first, { stream: true });
}

/** What can be told of an answer within a log: the receivers of the field say what is wrong in a line. */
const SHOWN_BYTES = 1024;
/** More than is shown, so that a secret at the edge is found whole. */
const READ_BYTES = 8 * 1024;
const HIDDEN = '[hidden]';
const SIGNATURES = /v1=[0-9a-f]{64}/gi;
/** Controls, and what changes the direction or is not seen (a NUL is no text on PostgreSQL). */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu;
const LINES: ReadonlySet<string> = new Set(['\n', '\r', '\t']);
