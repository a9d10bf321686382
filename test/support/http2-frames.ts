// HTTP/2 by hand (RFC 9113, RFC 7541 without any compression): frames that no library would send, and what
// comes back.

import { once } from 'node:events';
import type { Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { connect, type TLSSocket } from 'node:tls';

export type Frame = {
  readonly type: number;
  readonly flags: number;
  readonly stream: number;
  readonly payload: Buffer;
};

/** What is said and heard on a connection. */
export type FrameTalk<Connection extends Socket> = {
  readonly socket: Connection;
  readonly send: (...frames: readonly Buffer[]) => void;
  /** All that came, in order. */
  readonly heard: readonly Frame[];
  /**
   * Resolves with the first frame that fits, of those that came and those to come; null when the connection
   * ends before.
   */
  readonly wait: (fits: (frame: Frame) => boolean) => Promise<Frame | null>;
  readonly closed: Promise<void>;
};

export type FrameVisitor = FrameTalk<TLSSocket>;

export const DATA = 0;
export const HEADERS = 1;
export const RST_STREAM = 3;
export const SETTINGS = 4;
export const PING = 6;
export const GOAWAY = 7;
export const WINDOW_UPDATE = 8;
export const CONTINUATION = 9;
export const END_STREAM = 1;
export const END_HEADERS = 4;
export const ACK = 1;

/** A connection that has said its preface, and acknowledges settings; closed with the test. */
export async function openFrames(
  t: TestContext,
  port: number,
  servername: string,
  {
    settings = Buffer.alloc(0),
    localAddress = '127.0.0.1',
  }: { readonly settings?: Buffer | undefined; readonly localAddress?: string } = {},
): Promise<FrameVisitor> {
  const place = {
    port,
    host: '127.0.0.1',
    localAddress,
    servername,
    rejectUnauthorized: false,
    ALPNProtocols: ['h2'],
  };
  const socket = connect(place);
  socket.on('error', () => {});
  t.after(() => socket.destroy());
  await once(socket, 'secureConnect');
  const { talk, take } = talkFrames(socket);
  socket.on('data', take);
  talk.send(Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(SETTINGS, 0, 0, settings));
  return talk;
}

/** Acknowledges settings, and nothing else by itself. `take` is to be given the bytes that come. */
export function talkFrames<Connection extends Socket>(
  socket: Connection,
): { readonly talk: FrameTalk<Connection>; readonly take: (chunk: Buffer) => void } {
  const heard: Frame[] = [];
  const waiting = new Set<() => void>();
  const tell = () => {
    for (const look of waiting) look();
  };
  let ended = false;
  const send = (...frames: readonly Buffer[]) =>
    void (socket.writable && socket.write(Buffer.concat(frames)));
  const read = frameReader((each) => {
    heard.push(each);
    if (each.type === SETTINGS && (each.flags & ACK) === 0) send(frame(SETTINGS, ACK, 0));
  });
  const { promise: closed, resolve } = Promise.withResolvers<void>();
  socket.on('close', () => {
    ended = true;
    tell();
    resolve();
  });
  const wait = (fits: (frame: Frame) => boolean) => {
    const found = Promise.withResolvers<Frame | null>();
    const look = () => {
      const fitting = heard.find(fits);
      if (fitting === undefined && !ended) return;
      waiting.delete(look);
      found.resolve(fitting ?? null);
    };
    waiting.add(look);
    look();
    return found.promise;
  };
  const take = (chunk: Buffer) => {
    read(chunk);
    tell();
  };
  return { talk: { socket, send, heard, wait, closed }, take };
}

/** Takes bytes as they come, and tells each whole frame. */
export function frameReader(onFrame: (frame: Frame) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= 9 && rest.length >= 9 + rest.readUIntBE(0, 3)) {
      const length = rest.readUIntBE(0, 3);
      const payload = Buffer.from(rest.subarray(9, 9 + length));
      const read = { type: rest[3]!, flags: rest[4]!, stream: rest.readUInt32BE(5) & 0x7fff_ffff, payload };
      rest = rest.subarray(9 + length);
      onFrame(read);
    }
  };
}

export function frame(
  type: number,
  flags: number,
  stream: number,
  payload: Buffer = Buffer.alloc(0),
): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

/** A HEADERS frame that holds the whole head, and ends the stream unless `more`. */
export function headersFrame(stream: number, fields: readonly Field[], more = false): Buffer {
  return frame(HEADERS, END_HEADERS | (more ? 0 : END_STREAM), stream, block(fields));
}

export type Field = readonly [name: string, value: string];

/** Literal fields, never indexed, latin1 as they are (RFC 7541 section 6.2.3). */
export function block(fields: readonly Field[]): Buffer {
  return Buffer.concat(fields.flatMap(([name, value]) => [Buffer.from([0x10]), text(name), text(value)]));
}

function text(value: string): Buffer {
  const bytes = Buffer.from(value, 'latin1');
  return Buffer.concat([integer(bytes.length), bytes]);
}

/** RFC 7541 section 5.1 with a prefix of seven bits. */
function integer(value: number): Buffer {
  if (value < 127) return Buffer.from([value]);
  const bytes = [127];
  let rest = value - 127;
  while (rest >= 128) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  return Buffer.from([...bytes, rest]);
}

export function number32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
