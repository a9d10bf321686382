// An upgraded stream and the target's socket become one connection: bytes pass both ways with back-pressure,
// an end is passed on, and whatever breaks on one side breaks the other. Frames are not looked at.

import { constants, type Http2Stream } from 'node:http2';
import type { Duplex } from 'node:stream';

export function join(stream: Http2Stream, socket: Duplex): void {
  pass(stream, socket);
  pass(socket, stream);
  stream.on('close', () => socket.destroy());
  socket.on('close', () => {
    if (!stream.writableEnded) stream.close(constants.NGHTTP2_INTERNAL_ERROR);
    // What the target sent last is still to go.
    else if (stream.writableFinished) stream.close(constants.NGHTTP2_NO_ERROR);
    else stream.once('finish', () => stream.close(constants.NGHTTP2_NO_ERROR));
  });
}

function pass(from: Duplex, to: Duplex): void {
  from.on('data', (chunk: Buffer) => {
    if (!to.destroyed && !to.write(chunk)) from.pause();
  });
  to.on('drain', () => from.resume());
  from.on('end', () => to.end());
}
