// Whether the other end of a stream said that it has no more to say (END_STREAM, RFC 9113 section 8.1). Node
// emits `end` for that, for a reset without an error, and for a session that is gone, all alike; only at the
// moment at which the end comes is a stream open in the first case, and closed in the others.

import type { Http2Stream } from 'node:http2';

/** To be called before anything of the stream came. */
export function watchEnd(stream: Http2Stream): () => boolean {
  let isWhole = false;
  const push = stream.push.bind(stream);
  stream.push = (chunk: unknown, encoding?: BufferEncoding) => {
    if (chunk === null && !stream.closed && !stream.destroyed && stream.session?.destroyed === false)
      isWhole = true;
    return push(chunk, encoding);
  };
  return () => isWhole;
}
