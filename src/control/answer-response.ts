// An answer of ours as what the control API's framework sends.

import type { Answer } from '../http/answer.ts';

export function responseOf({ status, headers, body }: Answer): Response {
  const text = body === null || typeof body === 'string' ? body : Buffer.from(body).toString();
  return new Response(text, {
    status,
    headers: headers.map(([name, value]): [string, string] => [name, value]),
  });
}
