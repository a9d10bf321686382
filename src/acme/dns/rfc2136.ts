// DNS records by dynamic update (RFC 2136) over TCP, signed with a TSIG key: for BIND, Knot, PowerDNS, nsd's
// neighbours, and whatever speaks it.

import { connect } from 'node:net';
import { randomInt } from 'node:crypto';
import type { DnsRecords, TxtRecord } from './dns-records.ts';
import { signedUpdate, type TsigKey, updateAnswer } from './message.ts';

export type Rfc2136Server = {
  readonly host: string;
  readonly port: number;
  readonly zone: string;
  readonly key: TsigKey;
};

export function rfc2136Records(server: Rfc2136Server, now: () => number): DnsRecords {
  const update = async (change: 'add' | 'remove', record: TxtRecord) => {
    const asked = signedUpdate(
      { zone: server.zone, change, record, id: randomInt(0x1_0000), at: Math.floor(now() / 1000) },
      server.key,
    );
    const answer = updateAnswer(await exchange(server, asked.message), asked, server.key);
    if (answer.kind === 'refused')
      throw new Error(`Cannot ${change} ${record.name}: the name server answered ${answer.found}`);
  };
  return { add: (record) => update('add', record), remove: (record) => update('remove', record) };
}

/** One message there, one back, each led by its length (RFC 1035 section 4.2.2). */
function exchange({ host, port }: Rfc2136Server, message: Buffer): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const socket = connect({ host, port });
  const fail = (found: string) => {
    reject(new Error(`Cannot ask the name server ${host}:${port}: ${found}`));
    socket.destroy();
  };
  let bytes: Buffer = Buffer.alloc(0);
  const timer = setTimeout(() => fail('it takes too long'), EXCHANGE_LIMIT_MS);
  socket.on('connect', () => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(message.length);
    socket.write(Buffer.concat([length, message]));
  });
  socket.on('data', (chunk: Buffer) => {
    bytes = Buffer.concat([bytes, chunk]);
    if (bytes.length < 2 || bytes.length < 2 + bytes.readUInt16BE(0)) return;
    resolve(bytes.subarray(2, 2 + bytes.readUInt16BE(0)));
    socket.destroy();
  });
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => {
    clearTimeout(timer);
    fail('it closed the connection');
  });
  return promise;
}

const EXCHANGE_LIMIT_MS = 10_000;
