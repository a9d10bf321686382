// A name server on loopback that knows TXT records, over real datagrams (RFC 1035).

import { createSocket, type RemoteInfo } from 'node:dgram';
import { once } from 'node:events';

export type TxtServer = {
  /** Address and port, for a resolver. */
  readonly address: string;
  /** Records by name, each the strings it is made of. A name that is missing does not exist. */
  readonly zone: Map<string, readonly (readonly string[])[]>;
  /** Names asked for, in order. */
  readonly asked: readonly string[];
  /** Answers with this code in the place of records: 2 is SERVFAIL. */
  refuseWith: number | null;
  [Symbol.asyncDispose](): Promise<void>;
};

export async function startTxtServer(): Promise<TxtServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  const server = {
    address: '',
    zone: new Map<string, readonly (readonly string[])[]>(),
    asked,
    refuseWith: null as number | null,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => void socket.close(() => resolve())),
  };
  socket.on('message', (query: Buffer, from: RemoteInfo) => {
    const name = nameOf(query);
    asked.push(name);
    const records = server.zone.get(name);
    const code = server.refuseWith ?? (records === undefined ? NXDOMAIN : 0);
    socket.send(answerTo(query, code, code === 0 ? (records ?? []) : []), from.port, from.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  server.address = `127.0.0.1:${socket.address().port}`;
  return server;
}

/** The question's name, which is never compressed (section 4.1.2). */
function nameOf(query: Buffer): string {
  const labels: string[] = [];
  for (let at = HEADER_BYTES; (query[at] ?? 0) > 0; at += 1 + (query[at] ?? 0))
    labels.push(query.toString('latin1', at + 1, at + 1 + (query[at] ?? 0)));
  return labels.join('.').toLowerCase();
}

/** Header and question as they came, without what else the query had, and a record each. */
function answerTo(query: Buffer, code: number, records: readonly (readonly string[])[]): Buffer {
  const head = Buffer.from(query.subarray(0, query.indexOf(0, HEADER_BYTES) + 5));
  head.writeUInt16BE(ANSWER_FLAGS | code, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...records.map(recordOf)]);
}

function recordOf(strings: readonly string[]): Buffer {
  const data = Buffer.concat(strings.map((text) => Buffer.from([text.length, ...Buffer.from(text)])));
  const record = Buffer.alloc(RECORD_HEAD_BYTES);
  // A pointer to the question's name, TXT, the class IN, a TTL of 0, the length.
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  record.writeUInt16BE(TYPE_TXT, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

const HEADER_BYTES = 12;
const RECORD_HEAD_BYTES = 12;
const TYPE_TXT = 16;
const NXDOMAIN = 3;
/** An answer, recursion desired and available. */
const ANSWER_FLAGS = 0x8180;
