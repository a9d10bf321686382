// The OAuth frontend's requests as Node gives them, made into plain `LoginHttpRequest`s and answered.

import type { IncomingMessage, ServerResponse } from 'node:http';

import { sendAnswer } from '../http/answer.ts';
import { parseCookies } from '../http/cookies.ts';
import type { Login, LoginHttpRequest } from './login.ts';

export type LoginListenerDeps = {
  readonly login: Login;
  /** The visitor's address, believing forwarding headers only from trusted proxies. */
  readonly clientIp: (request: IncomingMessage) => string | null;
  readonly requestId: (request: IncomingMessage) => string;
};

export type LoginListener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

/** Bodies are not read: no route here takes one. Never rejects. */
export function createLoginListener({ login, clientIp, requestId }: LoginListenerDeps): LoginListener {
  return async (request, response) => {
    const answer = await login(
      plainRequest(request, { ip: clientIp(request), requestId: requestId(request) }),
    );
    try {
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
