// What the agent's host runs behind its agent, a process of its own: says its port on the first line of its
// output, then a line of JSON for each upload, whole or broken off. Answers tell what was asked; WebSockets
// echo.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';

export type UploadSeen = { readonly bytes: number; readonly whole: boolean };

const server = createServer((request, response) => {
  if (request.method === 'POST') return takeUpload(request, response);
  response.end(request.url);
});
new WebSocketServer({ server }).on('connection', (socket) => {
  socket.on('error', () => socket.terminate());
  socket.on('message', (data, binary) => socket.send(data, { binary }));
});
server.listen(0, '127.0.0.1', () => say((server.address() as AddressInfo).port));

function takeUpload(request: IncomingMessage, response: ServerResponse): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.byteLength;
  });
  request.on('error', () => undefined);
  request.on('close', () => say({ bytes, whole: request.complete } satisfies UploadSeen));
  request.on('end', () => response.end(String(bytes)));
}

function say(what: object | number): void {
  process.stdout.write(`${JSON.stringify(what)}\n`);
}
