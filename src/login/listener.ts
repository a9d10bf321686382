// The OAuth frontend's requests as Node gives them, made into plain `LoginHttpRequest`s and answered.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { readWithin } from '../domain/read-within.ts';
import { sendAnswer } from '../http/answer.ts';
import { parseCookies } from '../http/cookies.ts';
import { type Login, takesBody } from './login.ts';
import type { LoginHttpRequest } from './login-deps.ts';

export type LoginListenerDeps = {
  readonly login: Login;
  /** The visitor's address, believing forwarding headers only from trusted proxies. */
  readonly clientIp: (request: IncomingMessage) => string | null;
  readonly requestId: (request: IncomingMessage) => string;
};

export type LoginListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Bodies are read where `takesBody()` says so, and within bounds. Never rejects. */
export function createLoginListener({ login, clientIp, requestId }: LoginListenerDeps): LoginListener {
  return async (request, response) => {
    const plain = plainRequest(request, { ip: clientIp(request), requestId: requestId(request) });
    const body = takesBody(plain) ? await readBody(request) : undefined;
    const answer = await login(body === undefined ? plain : { ...plain, body });
    try {
      // What is left of the body is not read, so the connection cannot be used again.
      if (body === null) response.setHeader('connection', 'close');
      if (!response.destroyed) sendAnswer(request, response, answer);
    } catch {
      response.destroy();
    }
  };
}

function plainRequest(
  request: IncomingMessage,
  from: { readonly ip: string | null; readonly requestId: string },
): LoginHttpRequest {
  const target = request.url ?? '/';
  const at = target.indexOf('?');
  const rawQuery = at < 0 ? '' : target.slice(at + 1);
  return {
    method: request.method ?? 'GET',
    path: at < 0 ? target : target.slice(0, at),
    query: new URLSearchParams(rawQuery),
    rawQuery,
    headers: Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [
        name,
        Array.isArray(value) ? value.join(', ') : value,
      ]),
    ),
    cookies: parseCookies(request.headers.cookie),
    ...from,
  };
}

/** Null for a body that is too large, or breaks off. */
async function readBody(request: IncomingMessage): Promise<string | null> {
  try {
    // Not destroyed on the way out, or the refusal could not be sent.
    const body = await readWithin(request.iterator({ destroyOnReturn: false }), MAX_BODY_BYTES);
    return body?.toString('utf8') ?? null;
  } catch {
    return null;
  }
}

/** Real logout tokens have some 1 KiB. */
const MAX_BODY_BYTES = 64 * 1024;
