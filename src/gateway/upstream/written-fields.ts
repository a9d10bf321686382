// Writes fields (RFC 9112 section 5): none that could be read as two, and none that the client writes itself.

import { isFieldValue, isToken } from './field-line.ts';
import { UpstreamError } from './upstream-error.ts';

/** Fields that were checked and written once, to go into many requests: there are no others of this class. */
export class WrittenFields {
  readonly text: string;
  /** The same, for whoever writes another protocol. */
  readonly headers: readonly string[];

  /**
   * `headers` is flat, by the rules of `UpstreamRequest.headers` but without `Host`. Throws
   * `request_refused`.
   */
  constructor(headers: readonly string[]) {
    this.text = writeHeaders(headers, 0);
    this.headers = Object.freeze([...headers]);
    Object.freeze(this);
  }
}

export function writeHeaders(headers: readonly string[], wantedHosts: 0 | 1): string {
  let text = '';
  let hosts = 0;
  for (let at = 0; at < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (isOwned(name)) throw refused('a header that the client writes itself');
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    text += writeField(name, headers[at + 1]);
  }
  if (hosts !== wantedHosts) throw refused(hosts === 0 ? 'no Host header' : 'a Host header too many');
  return text;
}

export function writeField(name: string, value: string | undefined): string {
  if (!isToken(name)) throw refused('a header name that is no token');
  if (value === undefined) throw refused('a header without a value');
  if (!isFieldValue(value)) throw refused('a control character in a header value');
  return `${name}: ${value}\r\n`;
}

/** Told apart by length first: most names cost one comparison. */
export function isOwned(name: string): boolean {
  switch (name.length) {
    case 2:
    case 7:
    case 10:
    case 14:
    case 16:
    case 17:
      return OWNED.has(name.toLowerCase());
    default:
      return false;
  }
}

export function refused(found: string): UpstreamError {
  return new UpstreamError('request_refused', `Cannot send a request to the backend: ${found}`);
}

const OWNED = new Set([
  'te',
  'upgrade',
  'connection',
  'keep-alive',
  'content-length',
  'proxy-connection',
  'transfer-encoding',
]);
