// How much of what a provider answers is read. Whom the operator names is trusted with more than whom an
// account names.

import type { AccountId } from '../domain/id.ts';
import type { OutboundFetch } from './dialler.ts';
import { type AnswerLimits, MAX_ANSWER_BYTES } from './outbound-exchange.ts';

/** Of its metadata and its key set. */
export type DocumentLimits = { readonly bytes: number; readonly keys: number };

/** `accountId`: whose provider it is; null for one of the configuration. */
export function documentLimits(accountId: AccountId | null): DocumentLimits {
  return accountId === null ? CONFIGURED_DOCUMENTS : DEFINED_DOCUMENTS;
}

/** The same calls, of whose answers so many bytes are read. */
export function withinBytes(fetch: OutboundFetch, maxBytes: number): OutboundFetch {
  return (url, request) => fetch(url, { ...request, maxBytes });
}

/** Real metadata have up to 10 KiB, real key sets some 20 KiB and ten keys. */
const DEFINED_DOCUMENTS: DocumentLimits = { bytes: 128 * 1024, keys: 100 };
const CONFIGURED_DOCUMENTS: DocumentLimits = { bytes: MAX_ANSWER_BYTES, keys: 1_000 };
/** Whatever an account's provider answers: three tokens of the largest size, or thousands of groups. */
export const DEFINED_ANSWERS: AnswerLimits = { bytes: 512 * 1024, parts: 20_000 };
/**
 * With 16 calls at once 40 a second: many logins, and with a handshake each still a small part of the main
 * thread.
 */
export const DEFINED_HELD_MS = 400;
