// The browser's way of sending a call: to the page's own host, with the cookie of the member's session.

import { ACCOUNT_CHANGED, accountHeader } from './page-account.ts';
import type { CallAnswer, OpenAnswer, SentCall } from '../../../src/client/sent-call.ts';

/** Rejects when no whole answer comes. Redirects are no answers of the API. */
export async function fetchSend(call: SentCall): Promise<CallAnswer> {
  const { method, url, headers, body, limitMs } = call;
  const late = AbortSignal.timeout(limitMs ?? CALL_LIMIT_MS);
  const signal = call.signal === undefined ? late : AbortSignal.any([late, call.signal]);
  const response = await fetch(url, { method, headers: ofPage(headers), body, ...HERE, signal });
  const text = await response.text();
  if (response.status === 403 && text.includes('"account_changed"'))
    dispatchEvent(new Event(ACCOUNT_CHANGED));
  return { ...headOf(response), body: text };
}

/** As `Open`. */
export async function fetchOpen(
  { method, url, headers, body, limitMs }: SentCall,
  signal: AbortSignal,
): Promise<OpenAnswer> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), limitMs ?? CALL_LIMIT_MS);
  try {
    const either = AbortSignal.any([signal, late.signal]);
    const response = await fetch(url, { method, headers: ofPage(headers), body, ...HERE, signal: either });
    return { ...headOf(response), body: chunksOf(response.body) };
  } finally {
    clearTimeout(timer);
  }
}

/** Not every browser lets a stream be walked. */
async function* chunksOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}

function ofPage(headers: SentCall['headers']): HeadersInit {
  return { ...headers, ...accountHeader() };
}

function headOf({ status, headers }: Response): Omit<CallAnswer, 'body'> {
  return { status, contentType: headers.get('content-type') ?? '', etag: headers.get('etag') };
}

const HERE = { credentials: 'same-origin', redirect: 'error', cache: 'no-store' } as const;

/** The API answers in milliseconds; this is for a slow line. */
const CALL_LIMIT_MS = 30_000;
