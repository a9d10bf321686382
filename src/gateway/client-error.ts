// What the HTTP/1.1 parser refuses, answered as any other fault. Nothing is written into the middle of
// another answer.

import type { Duplex } from 'node:stream';
import { ServiceError } from '../domain/service-error.ts';
import { endWithFault } from '../http/last-answer.ts';

/** For Node's `clientError` event. Ends the connection. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  if (isAnswering(socket)) {
    // What was written in this turn of the loop leaves first: it may be the refusal of this very request.
    setImmediate(() => socket.destroy());
    return;
  }
  endWithFault(socket, faultOf(error));
}

/** Node keeps the answer under way on the connection, and itself looks there for the same reason. */
function isAnswering(socket: Duplex): boolean {
  const answer = (socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage;
  return answer?.headersSent === true;
}

function faultOf(error: NodeJS.ErrnoException): ServiceError {
  if (error.code === 'HPE_HEADER_OVERFLOW')
    return new ServiceError('headers_too_large', 'Cannot read a request: its headers are too large');
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new ServiceError('request_timeout', 'Cannot read a request: its head did not arrive in time');
  if (error.code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW')
    return new ServiceError('body_too_large', 'Cannot read a request: its chunk extensions are too large');
  return new ServiceError('bad_request', 'Cannot read a request: it violates HTTP/1.1');
}
