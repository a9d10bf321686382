// The last answer of a connection that is no longer read as HTTP: what could not be parsed, and CONNECT. It
// is written past Node's response, in turn behind the answers ahead (one-at-a-time.ts).

import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { randomToken } from '../domain/secret.ts';
import { ServiceError } from '../domain/service-error.ts';
import { lastInTurn } from './one-at-a-time.ts';
import { problemAnswer } from './problem.ts';

const { STATUS_CODES } = process.getBuiltinModule('node:http');

/** Ends the connection behind it, also when the other side keeps its half open. */
export function endWithFault(socket: Duplex, fault: ServiceError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = problemAnswer(fault, randomToken());
  const text = typeof body === 'string' ? body : '';
  const lines = [...headers, ['content-length', String(Buffer.byteLength(text))], ['connection', 'close']];
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${head}\r\n${text}`);
  // The rest of what is not read is not waited for.
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}

/** For Node's `connect` event: nothing here is a forward proxy. */
export function refuseConnect(_request: IncomingMessage, socket: Duplex): void {
  // Node has let go of the connection, errors included.
  socket.on('error', () => {});
  lastInTurn(socket, () => endWithFault(socket, connectRefused()));
}

export function connectRefused(): ServiceError {
  return new ServiceError(
    'method_not_allowed',
    'Cannot connect through this service: it is not a forward proxy',
    {
      extra: { allow: 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS' },
    },
  );
}

/** Time for the answer to arrive before the connection is torn down. */
const LINGER_MS = 1_000;
