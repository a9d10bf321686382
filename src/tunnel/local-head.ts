// The head of a request that came through a tunnel, as HTTP/1.1 writes it for the agent's target (RFC 9113
// section 8.3.1).

import { hasHeader } from './headers.ts';
import { TARGET_HOST_HEADER } from './wire.ts';

export type LocalHead = {
  readonly method: string;
  readonly path: string;
  /** Flat, `Host` first. */
  readonly headers: readonly string[];
  readonly webSocket: boolean;
  readonly hasBody: boolean;
};

/**
 * `raw` is flat, pseudo headers included; null when it is no request that an agent answers. `ownHost` is the
 * target's, for requests that are to name it.
 */
export function readLocalHead(
  raw: readonly string[],
  endsWithHead: boolean,
  ownHost: string,
): LocalHead | null {
  let method = '';
  let path = '';
  let authority = '';
  let protocol: string | null = null;
  let namesTarget = false;
  const headers: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index]!;
    const value = raw[index + 1]!;
    if (name === ':method') method = value;
    else if (name === ':path') path = value;
    else if (name === ':authority') authority = value;
    else if (name === ':protocol') protocol = value;
    else if (name === TARGET_HOST_HEADER) namesTarget = true;
    else if (name === 'te') headers.push('TE', value, 'Connection', 'TE');
    else if (name[0] !== ':') headers.push(name, value);
  }
  const webSocket = method === 'CONNECT' && protocol === 'websocket';
  if (path === '' || authority === '' || (method === 'CONNECT' && !webSocket)) return null;
  const hasBody = !webSocket && !endsWithHead;
  const upgrade = webSocket ? ['Connection', 'Upgrade', 'Upgrade', 'websocket'] : [];
  return {
    method: webSocket ? 'GET' : method,
    path,
    headers: [
      'Host',
      namesTarget ? ownHost : authority,
      ...headers,
      ...upgrade,
      ...framing(headers, { method, hasBody }),
    ],
    webSocket,
    hasBody,
  };
}

/** Said here, since node:http would guess by the method alone. */
function framing(
  headers: readonly string[],
  { method, hasBody }: { readonly method: string; readonly hasBody: boolean },
): readonly string[] {
  if (hasBody) return hasHeader(headers, 'content-length') ? [] : ['Transfer-Encoding', 'chunked'];
  return BODILESS.has(method) ? [] : ['Content-Length', '0'];
}

const BODILESS = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);
