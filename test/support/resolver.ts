// The operating system's resolver, as an attacker who owns a zone has it answer: from a function, or over the
// wire from a name server of the test's own.

import { createSocket, type RemoteInfo } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { once } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { isIPv4 } from 'node:net';
import type { TestContext } from 'node:test';
import { parseIpAddress } from '../../src/domain/ip-address.ts';

type Found = readonly { readonly address: string; readonly family: number }[];

/** Whatever in this process resolves a name gets this answer. How often it was asked. */
export function useLookup(t: TestContext, answer: (name: string) => Promise<Found>): () => number {
  let asked = 0;
  const resolver = createRequire(import.meta.url)('node:dns/promises') as {
    lookup: (name: string) => unknown;
  };
  t.mock.method(resolver, 'lookup', async (name: string) => {
    asked++;
    return answer(name);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return () => asked;
}

/**
 * Resolves names in this process at a name server on loopback, which answers with the addresses that `zone`
 * has at that moment, for no time at all. How often each name was looked up.
 */
export async function useNameServer(
  t: TestContext,
  zone: (name: string, count: number) => readonly string[],
): Promise<(name: string) => number> {
  const counts = new Map<string, number>();
  const server = createSocket('udp4');
  const current = new Map<string, readonly string[]>();
  server.on('message', (query: Buffer, from: RemoteInfo) => {
    const { name, type } = questionOf(query);
    const addresses = (current.get(name) ?? []).filter((each) => isIPv4(each) === (type === TYPE_A));
    server.send(answerTo(query, type, addresses), from.port, from.address);
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const resolver = new Resolver({ timeout: QUERY_LIMIT_MS, tries: 2 });
  resolver.setServers([`127.0.0.1:${server.address().port}`]);
  useLookup(t, async (name) => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    current.set(name, zone(name, count));
    const [four, six] = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]);
    return [
      ...(four.status === 'fulfilled' ? four.value.map((address) => ({ address, family: 4 })) : []),
      ...(six.status === 'fulfilled' ? six.value.map((address) => ({ address, family: 6 })) : []),
    ];
  });
  return (name) => counts.get(name) ?? 0;
}

/** RFC 1035 section 4.1.2: the first question, whose name is never compressed. */
function questionOf(query: Buffer): { readonly name: string; readonly type: number } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1) };
}

/** Header and question as they came, and a record for each address. */
function answerTo(query: Buffer, type: number, addresses: readonly string[]): Buffer {
  const questionEnd = query.indexOf(0, HEADER_BYTES) + 5;
  const head = Buffer.from(query.subarray(0, questionEnd));
  head.writeUInt16BE(ANSWER_FLAGS, 2);
  head.writeUInt16BE(addresses.length, 6);
  // No further sections, whatever the query had.
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...addresses.map((address) => recordOf(type, address))]);
}

function recordOf(type: number, address: string): Buffer {
  const { value, version } = parseIpAddress(address) ?? { value: 0n, version: 4 };
  const bytes = version === 4 ? 4 : 16;
  const record = Buffer.alloc(RECORD_HEAD_BYTES);
  // A pointer to the question's name, the type, the class IN, a TTL of 0, the length.
  record.writeUInt16BE(0xc000 | HEADER_BYTES, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt16BE(bytes, 10);
  return Buffer.concat([record, Buffer.from(value.toString(16).padStart(bytes * 2, '0'), 'hex')]);
}

const HEADER_BYTES = 12;
const RECORD_HEAD_BYTES = 12;
const TYPE_A = 1;
/** An answer, authoritative, without an error. */
const ANSWER_FLAGS = 0x8400;
const QUERY_LIMIT_MS = 10_000;
