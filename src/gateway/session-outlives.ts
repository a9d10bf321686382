// An HTTP/2 session stays until its streams are gone. A stream that ended within a header section holds
// memory that Node counts as its session's. When both are garbage, Node takes them apart in any order, and
// ends the process when the session is first and that memory is still counted: each peer could have that.

import type { Http2Session, Http2Stream } from 'node:http2';

/** To be called when the stream is opened: later nobody has what Node takes apart. */
export function outlive(session: Http2Session, stream: Http2Stream): void {
  const kept = nativeOf(session);
  const awaited = nativeOf(stream);
  if (kept !== null && awaited !== null) STREAMS.register(awaited, kept);
}

/** What Node takes apart: an object of its own, in a property that only its code names. */
export function nativeOf(thing: Http2Session | Http2Stream): object | null {
  const own: object & Readonly<Record<symbol, unknown>> = thing as never;
  handle ??= Object.getOwnPropertySymbols(own).find(({ description }) => description === 'kHandle');
  const native = handle === undefined ? null : own[handle];
  return typeof native === 'object' ? native : null;
}

let handle: symbol | undefined;
/** Keeps each session that it was told of for as long as the stream is there. */
const STREAMS = new FinalizationRegistry<object>(() => {});
