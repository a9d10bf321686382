// Requests that a client sent before it had the answers to those ahead of them (RFC 9112 section 9.3.2): one
// of a connection is handled at a time, and in order. Node reads a whole packet of them at once and hands
// each over as it comes; from the second on they wait here, and what follows stays bytes, which are given to
// the parser as answers leave. Connections that never do so pay nothing.
//
//   parser ─► request ─► nothing ahead ─► handled
//                    └─► waits ─► the answer ahead has left ─► handled ─► more bytes to the parser

import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/**
 * Calls `handle` once every request ahead of it on the connection is answered; never when the client leaves
 * before.
 */
export function requestInTurn(request: IncomingMessage, response: ServerResponse, handle: () => void): void {
  if (lateHeads > 0) pipelines.get(request.socket)?.headCame();
  // Node gives an answer its connection when it is its turn.
  if (response.socket !== null) handle();
  else pipelineOf(request.socket).wait({ request, handle });
}

/**
 * For what ends the reading of a connection: what the parser refused (`error`), or what Node hands over
 * unread. `handle` is called in turn, and nothing behind it is taken. A head that is late because its rest
 * waits here is none of the client's fault: it gets its time once more, from when nothing waits.
 */
export function lastInTurn(socket: Duplex, handle: () => void, error?: NodeJS.ErrnoException): void {
  const pipeline = pipelines.get(socket);
  if (error?.code === 'ERR_HTTP_REQUEST_TIMEOUT' && pipeline?.holdsHead() === true)
    return pipeline.waitForHead(handle, headMs(socket));
  const ahead = answerUnderWay(socket);
  // What breaks the request that is being answered has nothing ahead of it.
  if (ahead === null || !ahead.req.complete) handle();
  // A client that closed its side in the middle of a request has left.
  else if (socket.readableEnded) socket.destroy();
  else (pipeline ?? pipelineOf(socket)).waitLast(handle);
}

/**
 * The connection speaks another protocol from here on. Node has taken its parser away, and gives it to the
 * next connection: not a byte more may reach it.
 */
export function handOver(socket: Duplex): void {
  pipelines.get(socket)?.letGo();
}

/** Whether an answer has yet to leave the connection. */
export function isAnswering(socket: Duplex): boolean {
  return answerUnderWay(socket) !== null;
}

type Waiting = { readonly request: IncomingMessage | null; readonly handle: () => void };

class Pipeline {
  readonly #socket: Duplex;
  /** Node's own way into the parser. */
  readonly #parse: ((chunk: Buffer) => void) | null;
  readonly #waiting: Waiting[] = [];
  #kept: Buffer[] = [];
  #keptBytes = 0;
  #discarded = 0;
  /** Nothing more is taken: the connection ends with what waits. */
  #over = false;
  /** What comes is somebody else's to read. */
  #isHandedOver = false;
  /** Whose end is waited for. */
  #ahead: ServerResponse | null = null;
  #stalled: NodeJS.Timeout | null = null;
  /** A head that is late. Node tells of each once. */
  #late: NodeJS.Timeout | null = null;
  readonly #onData = (chunk: Buffer): void => this.#read(chunk);

  constructor(socket: Duplex) {
    this.#socket = socket;
    // None is left behind an upgrade.
    const [parse] = socket.listeners('data');
    this.#parse = (parse as ((chunk: Buffer) => void) | undefined) ?? null;
    if (this.#parse !== null) socket.off('data', this.#parse);
    socket.on('data', this.#onData);
    if (this.#parse === null) socket.on('end', () => socket.destroy());
    socket.on('close', () => this.#drop());
    socket.resume();
  }

  wait(waiting: Waiting): void {
    if (this.#over || this.#socket.destroyed) return;
    this.#waiting.push(waiting);
    waitingInAll++;
    // Node keeps hold of each request of a packet until the one ahead is answered: nothing less than this
    // frees them.
    if (waitingInAll > MAX_WAITING_IN_ALL && this.#waiting.length > FEW_WAITING) this.#socket.destroy();
    else this.#watch();
  }

  waitLast(handle: () => void): void {
    if (this.#over || this.#socket.destroyed) return;
    const last = this.#waiting.at(-1)?.request ?? null;
    // What broke is the body of the last one that waits.
    if (last !== null && !last.complete) this.#take('pop');
    this.wait({ request: null, handle });
    this.#over = true;
    this.#forgetKept();
  }

  /** Whether the rest of a head that did not arrive in time may be among what waits. */
  holdsHead(): boolean {
    return !this.#over && this.#keptBytes > 0;
  }

  waitForHead(handle: () => void, ms: number): void {
    if (this.#late === null) lateHeads++;
    else clearTimeout(this.#late);
    this.#late = setTimeout(() => {
      if (this.#busy() || this.#keptBytes > 0) return this.waitForHead(handle, ms);
      this.headCame();
      handle();
    }, ms);
  }

  headCame(): void {
    if (this.#late === null) return;
    clearTimeout(this.#late);
    this.#late = null;
    lateHeads--;
  }

  letGo(): void {
    this.#isHandedOver = true;
    this.headCame();
    this.#socket.off('data', this.#onData);
    this.#endStall();
  }

  #read(chunk: Buffer): void {
    if (this.#over) this.#discard(chunk);
    else if (this.#busy()) this.#keep([chunk]);
    else this.#feed([chunk]);
  }

  /** Whether whatever follows belongs to a later request. */
  #busy(): boolean {
    return this.#waiting.length > 0 || answerUnderWay(this.#socket)?.req.complete === true;
  }

  /** In pieces, so that each holds few requests; larger ones while a body is read. */
  #feed(chunks: readonly Buffer[]): void {
    for (const [index, chunk] of chunks.entries())
      for (let at = 0; at < chunk.byteLength;) {
        if (this.#isHandedOver) return this.#giveBack([chunk.subarray(at), ...chunks.slice(index + 1)]);
        if (this.#over || this.#socket.destroyed) return;
        if (this.#busy()) return this.#keep([chunk.subarray(at), ...chunks.slice(index + 1)]);
        const to = at + (answerUnderWay(this.#socket) === null ? PIECE_BYTES : BODY_PIECE_BYTES);
        this.#parse?.call(this.#socket, chunk.subarray(at, to));
        at = to;
      }
  }

  /** Behind what was read with the request for the other protocol. */
  #giveBack(chunks: readonly Buffer[]): void {
    if (!this.#socket.destroyed) this.#socket.unshift(Buffer.concat(chunks));
  }

  #keep(chunks: readonly Buffer[]): void {
    for (const chunk of chunks) this.#keptBytes += chunk.byteLength;
    this.#kept.push(...chunks);
    // One byte a packet would cost a hundred.
    if (this.#kept.length > MAX_PIECES_KEPT) this.#kept = [Buffer.concat(this.#kept)];
    this.#watch();
    if (this.#keptBytes < MAX_KEPT_BYTES || this.#stalled !== null) return;
    // Nobody who does not read notices that a client left: this must not last.
    this.#socket.pause();
    this.#stalled = setTimeout(() => this.#socket.destroy(), STALLED_MS);
  }

  #discard(chunk: Buffer): void {
    this.#discarded += chunk.byteLength;
    if (this.#discarded > MAX_DISCARDED_BYTES) this.#socket.destroy();
  }

  #watch(): void {
    const ahead = answerUnderWay(this.#socket);
    if (ahead === null || ahead === this.#ahead) return;
    this.#ahead = ahead;
    ahead.once('close', () => this.#next());
  }

  #next(): void {
    this.#ahead = null;
    // It ends with the answer that has just left, or is gone.
    if (!this.#socket.writable) return;
    this.#take('shift')?.handle();
    if (this.#waiting.length > 0) return this.#watch();
    const kept = this.#kept;
    this.#forgetKept();
    this.#feed(kept);
    if (this.#stalled === null) return;
    if (this.#keptBytes >= MAX_KEPT_BYTES) {
      this.#stalled.refresh();
      return;
    }
    this.#endStall();
    this.#socket.resume();
  }

  #endStall(): void {
    if (this.#stalled !== null) clearTimeout(this.#stalled);
    this.#stalled = null;
  }

  #take(from: 'shift' | 'pop'): Waiting | undefined {
    if (this.#waiting.length > 0) waitingInAll--;
    return this.#waiting[from]();
  }

  #forgetKept(): void {
    this.#kept = [];
    this.#keptBytes = 0;
  }

  #drop(): void {
    this.#endStall();
    this.headCame();
    waitingInAll -= this.#waiting.length;
    this.#waiting.length = 0;
    this.#forgetKept();
  }
}

function pipelineOf(socket: Duplex): Pipeline {
  let pipeline = pipelines.get(socket);
  if (pipeline === undefined) pipelines.set(socket, (pipeline = new Pipeline(socket)));
  return pipeline;
}

/** Node keeps the answer under way on the connection, and goes by it itself. */
function answerUnderWay(socket: Duplex): ServerResponse | null {
  return (socket as { _httpMessage?: ServerResponse | null })._httpMessage ?? null;
}

/** As the connection's server has it. */
function headMs(socket: Duplex): number {
  return (
    (socket as { server?: { readonly headersTimeout?: number } | null }).server?.headersTimeout ?? HEAD_MS
  );
}

const pipelines = new WeakMap<Duplex, Pipeline>();
let waitingInAll = 0;
/** Connections whose head is late: while there are none, a request that comes looks for none. */
let lateHeads = 0;
/** Where a connection does not know its server. */
const HEAD_MS = 10_000;
/**
 * Of all connections of a worker, 3 KB each: one packet of 64 KiB may hold two thousand of the shortest.
 * Beyond it whoever has more than a few is cut off.
 */
const MAX_WAITING_IN_ALL = 10_000;
const FEW_WAITING = 16;
/** As much as a stream of HTTP/2 may leave unread. */
const MAX_KEPT_BYTES = 256 * 1024;
const MAX_PIECES_KEPT = 64;
/** Heads of some forty requests without any header but the host. */
const PIECE_BYTES = 1_024;
const BODY_PIECE_BYTES = 16 * 1024;
/** How long a client that has filled the above waits for one answer. */
const STALLED_MS = 5_000;
/** Behind what could not be understood. A client that sends on reads no answer. */
const MAX_DISCARDED_BYTES = 1024 * 1024;
