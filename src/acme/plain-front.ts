// What answers plain HTTP (port 80): HTTP-01 challenges (RFC 8555 section 8.3), and a redirect to https at a
// host of ours. Whatever else is asked for gets nothing; no path leads to a file.

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { normaliseHost } from '../domain/host-name.ts';
import { TOKEN } from './order.ts';

export type PlainFrontDeps = {
  /** What a challenge is answered with; null when there is none. */
  readonly challenge: (host: string, token: string) => Promise<string | null>;
  /** The https origin of a host of ours; null for any other. */
  readonly originOf: (host: string) => string | null;
};

export function plainFront(deps: PlainFrontDeps): RequestListener {
  return (request, response) => {
    answer(deps, request, response).catch(() => plain(response, 503, 'Try again later.'));
  };
}

async function answer(
  { challenge, originOf }: PlainFrontDeps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { url = '', headers } = request;
  // Nothing here reads a body: one that comes is not waited for.
  const hasBody = headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  if (hasBody) response.setHeader('connection', 'close');
  const host = normaliseHost(headers.host ?? '');
  if (host === null || !url.startsWith('/')) return plain(response, 400, 'Bad request.');
  if (url.startsWith(CHALLENGES)) return answerChallenge(request, response, { host, challenge });
  const origin = originOf(host);
  if (origin === null) return plain(response, 404, 'There is no such host here.');
  response.setHeader('location', `${origin}${url}`);
  plain(response, 308, 'This address is served over https.');
}

async function answerChallenge(
  { method, url = '' }: IncomingMessage,
  response: ServerResponse,
  { host, challenge }: Pick<PlainFrontDeps, 'challenge'> & { readonly host: string },
): Promise<void> {
  if (method !== 'GET' && method !== 'HEAD') return plain(response, 405, 'Only GET.');
  const token = url.slice(CHALLENGES.length);
  const found = TOKEN.test(token) ? await challenge(host, token) : null;
  if (found === null) return plain(response, 404, 'There is no such challenge.');
  // Not a text that a browser would show as a page of that host.
  response.setHeader('content-type', 'application/octet-stream');
  response.end(method === 'HEAD' ? undefined : found);
}

function plain(response: ServerResponse, status: number, text: string): void {
  if (response.headersSent) return;
  response.statusCode = status;
  response.setHeader('content-type', 'text/plain; charset=utf-8');
  response.setHeader('x-content-type-options', 'nosniff');
  response.setHeader('cache-control', 'no-store');
  response.end(`${text}\n`);
}

const CHALLENGES = '/.well-known/acme-challenge/';
