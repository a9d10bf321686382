// An HTTP answer as plain data: what handlers return, so that they can be tested without a socket.

import type { IncomingMessage, ServerResponse } from 'node:http';

export type Answer = {
  readonly status: number;
  /** Names may repeat (`set-cookie`). */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | null;
};

/** Writes an answer. HEAD gets the headers of GET, Content-Length included, and no body. */
export function sendAnswer(request: IncomingMessage, response: ServerResponse, answer: Answer): void {
  const body = answer.body === null ? new Uint8Array(0) : Buffer.from(answer.body);
  const headers = answer.headers.flatMap(([name, value]) => [name, value]);
  response.writeHead(answer.status, [...headers, 'content-length', String(body.byteLength)]);
  response.end(request.method === 'HEAD' ? undefined : body);
}
