// The browser's way of sending a call: to the page's own host, with the cookie of the member's session.

import type { CallAnswer, SentCall } from '../../../src/client/sent-call.ts';

/** Rejects when no whole answer comes. Redirects are no answers of the API. */
export async function fetchSend({ method, url, headers, body, limitMs }: SentCall): Promise<CallAnswer> {
  const response = await fetch(url, {
    method,
    headers,
    body,
    credentials: 'same-origin',
    redirect: 'error',
    cache: 'no-store',
    signal: AbortSignal.timeout(limitMs ?? CALL_LIMIT_MS),
  });
  return {
    status: response.status,
    contentType: response.headers.get('content-type') ?? '',
    etag: response.headers.get('etag'),
    body: await response.text(),
  };
}

/** The API answers in milliseconds; this is for a slow line. */
const CALL_LIMIT_MS = 30_000;
