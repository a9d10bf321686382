// The backend of the bench, a process of its own and the lightest that Node allows: raw sockets, no parser.
// It answers every GET with 280 bytes, `/bytes/<n>` with as many, and upgrades by switching and staying
// silent. Its parent tells it to end.

import { createHash } from 'node:crypto';
import { createServer, type Socket } from 'node:net';
import type { AddressInfo } from 'node:net';

function serve(socket: Socket): void {
  let kept = '';
  socket.on('error', () => socket.destroy());
  socket.on('data', (bytes: Buffer) => {
    let text = kept + bytes.toString('latin1');
    for (let end = text.indexOf(HEAD_END); end !== -1; end = text.indexOf(HEAD_END)) {
      answer(socket, text.slice(0, end));
      text = text.slice(end + HEAD_END.length);
    }
    kept = text;
  });
}

/** Requests have no bodies here. */
function answer(socket: Socket, head: string): void {
  if (head.startsWith('GET /bytes/')) sendBytes(socket, Number.parseInt(head.slice(11), 10));
  else if (head.startsWith('GET /socket')) switchProtocols(socket, head);
  else socket.write(SMALL);
}

function sendBytes(socket: Socket, length: number): void {
  let left = length;
  const send = () => {
    while (left > 0) {
      const piece = left >= PIECE.byteLength ? PIECE : PIECE.subarray(0, left);
      left -= piece.byteLength;
      if (!socket.write(piece)) return void socket.once('drain', send);
    }
  };
  socket.write(
    `HTTP/1.1 200 OK\r\nContent-Type: application/octet-stream\r\nContent-Length: ${length}\r\n\r\n`,
  );
  send();
}

/** RFC 6455 section 4.2.2. */
function switchProtocols(socket: Socket, head: string): void {
  const key = /\r\nsec-websocket-key: *([^\r]+)/i.exec(head)?.[1]?.trim() ?? '';
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
}

const HEAD_END = '\r\n\r\n';
const SMALL = Buffer.from(
  `HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 280\r\n\r\n${'x'.repeat(280)}`,
);
const PIECE = Buffer.alloc(64 * 1024, 'x');
/** Thousands of sockets are opened at once. */
const BACKLOG = 4_096;

if (import.meta.main) {
  const server = createServer({ noDelay: true }, serve);
  server.listen({ port: 0, host: '127.0.0.1', backlog: BACKLOG }, () => {
    process.send?.((server.address() as AddressInfo).port);
  });
  process.on('disconnect', () => process.exit(0));
}
