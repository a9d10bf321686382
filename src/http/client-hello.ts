// The server name and the protocols in the first bytes of a TLS connection (RFC 8446 section 4.1.2, RFC 6066
// section 3, RFC 7301 section 3.1), so that the policy for client certificates is chosen, and challenges are
// told from visitors, before the handshake begins. What is no ClientHello, or
// could be read in two ways, is refused: a name that this reader misses and OpenSSL finds would choose the
// weaker policy.

export type ClientHello =
  /** It is not whole yet. */
  | { readonly kind: 'more' }
  | (Named & { readonly kind: 'hello' })
  | { readonly kind: 'refused'; readonly found: string };

type Named = {
  /** Lower case, without a dot at the end; null when it names none. */
  readonly serverName: string | null;
  /** ALPN, as offered, one character a byte; none when it does not say. */
  readonly protocols: readonly string[];
};

/** `bytes`: everything that came so far, from the first byte of the connection. Never throws. */
export function readClientHello(bytes: Uint8Array): ClientHello {
  try {
    return { kind: 'hello', ...namedIn(handshakeOf(bytes)) };
  } catch (error) {
    if (error === MORE)
      return bytes.length >= MAX_HELLO_BYTES ? refused('more than 16 KiB') : { kind: 'more' };
    if (error instanceof Malformed) return refused(error.message);
    throw error;
  }
}

/** The handshake message, put together from its records (RFC 8446 section 5.1: it may be cut anywhere). */
function handshakeOf(bytes: Uint8Array): Reader {
  const parts: Uint8Array[] = [];
  let length = 0;
  let wanted = HANDSHAKE_HEAD_BYTES;
  for (let at = 0; length < wanted;) {
    const { content, end } = recordAt(bytes, at);
    if (parts.push(content) > MAX_RECORDS) throw new Malformed('more than 128 records');
    length += content.length;
    at = end;
    if (wanted === HANDSHAKE_HEAD_BYTES && length >= wanted) wanted = messageLength(Buffer.concat(parts));
  }
  // Nothing may come behind it before the server has answered.
  if (length > wanted) throw new Malformed('bytes behind the ClientHello');
  return new Reader(Buffer.concat(parts).subarray(HANDSHAKE_HEAD_BYTES));
}

/** With its head. */
function messageLength(begun: Uint8Array): number {
  const head = new Reader(begun);
  if (head.number(1) !== CLIENT_HELLO) throw new Malformed('another message than ClientHello');
  const length = HANDSHAKE_HEAD_BYTES + head.number(3);
  if (length > MAX_HELLO_BYTES) throw new Malformed('more than 16 KiB');
  return length;
}

function recordAt(bytes: Uint8Array, at: number): { readonly content: Uint8Array; readonly end: number } {
  // As early as possible: what speaks another protocol is told so by its first byte.
  if (at < bytes.length && bytes[at] !== HANDSHAKE_RECORD)
    throw new Malformed('another record than a handshake');
  if (at + 1 < bytes.length && bytes[at + 1] !== 3) throw new Malformed('another protocol than TLS');
  if (at + RECORD_HEAD_BYTES > bytes.length) throw MORE;
  const length = (bytes[at + 3] ?? 0) * 256 + (bytes[at + 4] ?? 0);
  if (length === 0 || length > MAX_RECORD_BYTES) throw new Malformed('an empty or too long record');
  const end = at + RECORD_HEAD_BYTES + length;
  if (end > bytes.length) throw MORE;
  return { content: bytes.subarray(at + RECORD_HEAD_BYTES, end), end };
}

function namedIn(hello: Reader): Named {
  hello.skip(2 + 32);
  hello.skip(hello.number(1));
  hello.skip(hello.number(2));
  hello.skip(hello.number(1));
  // TLS 1.2 and older may have none.
  if (hello.atEnd) return { serverName: null, protocols: [] };
  const extensions = hello.vector(2);
  if (!hello.atEnd) throw new Malformed('bytes behind the extensions');
  let serverName: string | null = null;
  let protocols: readonly string[] = [];
  const seen = new Set<number>();
  while (!extensions.atEnd) {
    const type = extensions.number(2);
    const content = extensions.vector(2);
    if (type !== SERVER_NAME && type !== PROTOCOLS) continue;
    if (seen.has(type)) throw new Malformed('two extensions for the server name, or for protocols');
    seen.add(type);
    if (type === SERVER_NAME) serverName = hostNameOf(content);
    else protocols = protocolsOf(content);
  }
  return { serverName, protocols };
}

/** RFC 6066 section 3: a list of one, since there is one type of name. */
function hostNameOf(extension: Reader): string {
  const list = extension.vector(2);
  const type = list.number(1);
  const name = list.vector(2).rest();
  if (!extension.atEnd || !list.atEnd || type !== HOST_NAME)
    throw new Malformed('another list than one server name');
  const text = Buffer.from(name).toString('latin1').toLowerCase().replace(/\.$/, '');
  if (!SERVER_NAME_TEXT.test(text)) throw new Malformed('a server name that is none');
  return text;
}

/** A list of at least one, none of them empty. */
function protocolsOf(extension: Reader): readonly string[] {
  const list = extension.vector(2);
  const protocols: string[] = [];
  while (!list.atEnd) protocols.push(Buffer.from(list.vector(1).rest()).toString('latin1'));
  if (!extension.atEnd || protocols.length === 0 || protocols.includes(''))
    throw new Malformed('a list of protocols that is none');
  return protocols;
}

class Reader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get atEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  number(size: number): number {
    let value = 0;
    for (const byte of this.#take(size)) value = value * 256 + byte;
    return value;
  }

  skip(size: number): void {
    this.#take(size);
  }

  /** What a length of `size` bytes counts. */
  vector(size: number): Reader {
    return new Reader(this.#take(this.number(size)));
  }

  rest(): Uint8Array {
    return this.#take(this.#bytes.length - this.#at);
  }

  #take(size: number): Uint8Array {
    const end = this.#at + size;
    if (end > this.#bytes.length) throw new Malformed('a length that leads out of the message');
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }
}

class Malformed extends Error {}

function refused(found: string): ClientHello {
  return { kind: 'refused', found };
}

const MORE = new Error('more is needed');
const HANDSHAKE_RECORD = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
/** application_layer_protocol_negotiation. */
const PROTOCOLS = 16;
const RECORD_HEAD_BYTES = 5;
const HANDSHAKE_HEAD_BYTES = 4;
/** RFC 8446 section 5.1. */
const MAX_RECORD_BYTES = 16_384;
/** It is read from its begin with each packet that comes; nobody needs more than a few. */
const MAX_RECORDS = 128;
/** DESIGN "Mutual TLS". Those of browsers have some 2 KiB, with post-quantum key shares. */
export const MAX_HELLO_BYTES = 16 * 1024;
/**
 * Letters, digits, hyphens, dots and, as in practice, underscores; 253 characters (RFC 1035 section 2.3.4).
 */
const SERVER_NAME_TEXT = /^[a-z0-9_-][a-z0-9._-]{0,252}$/;
