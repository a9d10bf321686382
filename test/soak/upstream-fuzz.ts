// The upstream client against undici: the same bytes from the same kind of socket must read the same, and
// what undici refuses must never be accepted. `node test/soak/upstream-fuzz.ts [iterations] [seed]` runs it
// by hand.
//
// Where the client is stricter than undici, on purpose (it may refuse what undici takes, never the other way
// round): a Transfer-Encoding other than exactly `chunked`, or in HTTP/1.0; a status above 599; control bytes
// in reasons; empty lines before a status line; malformed chunk extensions; more than 8 informational
// answers, or such that close or announce a body.
//
// Where undici 8.12 is wrong: a blank at the end of a value is no part of it (RFC 9112 section 5), but behind
// Content-Length it counts as a digit there, and behind `chunked` the body is read with its chunks' sizes and
// without its trailers. Such an answer is compared with what undici makes of it without those blanks. It
// refuses a 100 that it did not ask for, which a client may simply discard (RFC 9110 section 15.2.1): such an
// answer is compared with what it makes of a 102.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer, type AddressInfo } from 'node:net';
import * as fc from 'fast-check';
import { Client } from 'undici';
import { createUpstream, type Upstream } from '../../src/gateway/upstream/upstream.ts';
import { call } from '../support/upstream-call.ts';
import { brokenAnswer, validAnswer, type GeneratedAnswer } from './generated-answer.ts';

type FuzzCounts = {
  valid: number;
  broken: number;
  bothTook: number;
  bothRefused: number;
  stricter: number;
};

/** Throws at the first difference, with the smallest answer that shows it. */
export async function fuzzUpstream(iterations: number, seed = Date.now()): Promise<FuzzCounts> {
  const counts: FuzzCounts = { valid: 0, broken: 0, bothTook: 0, bothRefused: 0, stricter: 0 };
  const rig = await openRig();
  try {
    const options = { numRuns: Math.ceil(iterations / 2), seed };
    await fc.assert(
      fc.asyncProperty(validAnswer(), async (answer) => {
        const [ours, theirs] = await rig.readBoth(answer);
        counts.valid += 1;
        assert.notEqual(ours, null, 'the client refuses a valid answer');
        assert.deepEqual(ours, theirs);
      }),
      options,
    );
    await fc.assert(
      fc.asyncProperty(brokenAnswer(), async (answer) => {
        const [ours, theirs] = await rig.readBoth(answer);
        counts.broken += 1;
        if (ours === null && theirs === null) counts.bothRefused += 1;
        else if (ours === null) counts.stricter += 1;
        else {
          counts.bothTook += 1;
          assert.notEqual(theirs, null, 'the client takes what undici refuses');
          assert.deepEqual(ours, theirs);
        }
      }),
      options,
    );
  } finally {
    await rig.close();
  }
  return counts;
}

/** What a reader made of an answer; null if it refused it. */
type Reading = {
  readonly informational: readonly (readonly [number, readonly string[]])[];
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly string[];
  readonly body: string;
  readonly trailers: readonly string[];
};

type Rig = {
  /** The client's reading and undici's. */
  readonly readBoth: (answer: GeneratedAnswer) => Promise<readonly [Reading | null, Reading | null]>;
  readonly close: () => Promise<void>;
};

/**
 * A server that answers every connection with the same bytes and closes it: nobody waits for a body that
 * never comes.
 */
export async function openRig(): Promise<Rig> {
  let bytes: Buffer = Buffer.alloc(0);
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy());
    socket.once('data', () => socket.end(bytes));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const upstream = createUpstream();
  return {
    readBoth: async ({ method, text }) => {
      bytes = Buffer.from(text, 'latin1');
      const plain = text.replaceAll(BLANK_AFTER_FRAMING, '').replaceAll(CONTINUE, '102');
      if (plain === text) return Promise.all([readOurs(upstream, port, method), readTheirs(port, method)]);
      const ours = await readOurs(upstream, port, method);
      bytes = Buffer.from(plain, 'latin1');
      return [ours === null ? null : without100(ours), await readTheirs(port, method)];
    },
    close: async () => {
      upstream.close();
      server.close();
      await once(server, 'close');
    },
  };
}

const BLANK_AFTER_FRAMING =
  /(?<=^(?:content-length:[\t ]*\d+|transfer-encoding:[\t ]*chunked))[\t ]+(?=\r\n)/gim;

const CONTINUE = /(?<=^HTTP\/1\.[01] )100(?=[ \r])/gm;

function without100(reading: Reading): Reading {
  const informational = reading.informational.map(
    ([status, headers]) => [status === 100 ? 102 : status, headers] as const,
  );
  return { ...reading, informational };
}

let origins = 0;

async function readOurs(upstream: Upstream, port: number, method: string): Promise<Reading | null> {
  // A key of its own: each answer comes on a new connection, as for undici.
  origins += 1;
  const origin = {
    key: `${origins}`,
    dial: (options: object) => connect({ host: '127.0.0.1', port, ...options }),
  };
  const { informational, status, reason, headers, body, trailers, error } = await call(upstream, origin, {
    method,
  }).done;
  if (error !== null) return null;
  // undici reads reasons as UTF-8.
  const text = Buffer.from(reason, 'latin1').toString();
  return { informational, status, reason: text, headers, body: body.toString('latin1'), trailers };
}

function readTheirs(port: number, method: string): Promise<Reading | null> {
  const client = new Client(`http://127.0.0.1:${port}`, { maxHeaderSize: 128 * 1024 });
  const informational: [number, readonly string[]][] = [];
  let head = { status: 0, reason: '', headers: [] as readonly string[] };
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<Reading | null>();
  client.dispatch(
    { method, path: '/' },
    {
      onRequestStart: () => {},
      onResponseStart: (controller, status, _headers, reason) => {
        const headers = rawText(controller.rawHeaders);
        if (status < 200) informational.push([status, headers]);
        else head = { status, reason: reason ?? '', headers };
      },
      onResponseData: (_controller, chunk) => void chunks.push(chunk),
      onResponseEnd: (controller) => {
        const body = Buffer.concat(chunks).toString('latin1');
        resolve({ informational, ...head, body, trailers: rawText(controller.rawTrailers) });
      },
      onResponseError: () => resolve(null),
    },
  );
  return promise.finally(() => client.destroy());
}

/** undici leaves blanks at the end of values, which are no part of them (RFC 9112 section 5). */
function rawText(raw: unknown): readonly string[] {
  assert.ok(raw === null || raw === undefined || Array.isArray(raw));
  return (raw ?? []).map((item: Buffer | string) =>
    (typeof item === 'string' ? item : item.toString('latin1')).replace(/[\t ]+$/, ''),
  );
}

if (import.meta.main) {
  const [iterations = '100000', seed] = process.argv.slice(2);
  const counts = await fuzzUpstream(Number(iterations), seed === undefined ? undefined : Number(seed));
  process.stdout.write(`${JSON.stringify(counts)}\n`);
}
