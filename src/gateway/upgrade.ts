// Two streams that became one connection: bytes pass both ways with back-pressure, an end is passed on, and
// whatever breaks on one side breaks the other. Frames are not looked at.

import type { Duplex } from 'node:stream';

export type JoinOptions = {
  /** What the backend sent right behind its head. */
  readonly firstBytes: Buffer;
  readonly counts: { bytesSent: number; bytesReceived: number };
};

/** Joins the visitor's end with the backend's. Returns how to break both. */
export function joinStreams(visitor: Duplex, backend: Duplex, options: JoinOptions): () => void {
  const { counts, firstBytes } = options;
  const breakBoth = () => {
    visitor.destroy();
    backend.destroy();
  };
  if (firstBytes.byteLength > 0) {
    counts.bytesSent += firstBytes.byteLength;
    visitor.write(firstBytes);
  }
  pass(visitor, backend, (length) => {
    counts.bytesReceived += length;
  });
  pass(backend, visitor, (length) => {
    counts.bytesSent += length;
  });
  visitor.on('close', breakBoth);
  backend.on('close', () => breakSoon(visitor, breakBoth));
  return breakBoth;
}

function pass(from: Duplex, to: Duplex, count: (length: number) => void): void {
  from.on('data', (chunk: Buffer) => {
    count(chunk.byteLength);
    if (!to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.on('end', () => to.end());
  from.on('error', () => from.destroy());
  from.resume();
}

/** What the backend sent last may still be on its way to a visitor who reads slowly. */
function breakSoon(visitor: Duplex, breakBoth: () => void): void {
  if (visitor.destroyed || visitor.writableFinished || visitor.writableLength === 0) {
    breakBoth();
    return;
  }
  const timer = setTimeout(breakBoth, LAST_BYTES_MS);
  visitor.end(() => {
    clearTimeout(timer);
    breakBoth();
  });
}

/** How long a visitor may take for the last bytes of a WebSocket whose backend is gone. */
const LAST_BYTES_MS = 10_000;
