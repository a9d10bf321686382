// A visitor by HTTP/2 over TLS: one connection, requests with exactly the headers given, answers collected.

import { once } from 'node:events';
import { connect, type ClientHttp2Session, type OutgoingHttpHeaders } from 'node:http2';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';

export type Http2Answer = {
  /** 0 when the stream was reset before an answer. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  readonly trailers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** RFC 9113 section 7; 0 for a stream that ended well. */
  readonly resetCode: number;
};

export type Http2Visitor = {
  readonly session: ClientHttp2Session;
  /** Never rejects: a reset is an answer, too. */
  readonly ask: (
    headers: OutgoingHttpHeaders,
    body?: string,
    trailers?: OutgoingHttpHeaders,
  ) => Promise<Http2Answer>;
};

/** Connects to a port of loopback; closed with the test. The certificate is not checked. */
export async function openHttp2(t: TestContext, port: number, servername: string): Promise<Http2Visitor> {
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, servername });
  session.on('error', () => {});
  t.after(() => session.destroy());
  await once(session, 'connect');
  return { session, ask: (headers, body, trailers) => ask(session, { headers, body, trailers }) };
}

type Call = {
  readonly headers: OutgoingHttpHeaders;
  readonly body: string | undefined;
  readonly trailers: OutgoingHttpHeaders | undefined;
};

async function ask(session: ClientHttp2Session, { headers, body, trailers }: Call): Promise<Http2Answer> {
  const endStream = body === undefined && trailers === undefined;
  const options = { endStream, waitForTrailers: trailers !== undefined };
  const stream = session.request(headers, options);
  let head: Record<string, string> = {};
  let tail: Http2Answer['trailers'] = {};
  stream.on('error', () => {});
  stream.on('response', (given) => {
    head = given as Record<string, string>;
  });
  stream.on('trailers', (given) => {
    tail = given;
  });
  stream.on('wantTrailers', () => stream.sendTrailers(trailers ?? {}));
  if (!endStream) stream.end(body ?? '');
  const closed = new Promise<void>((resolve) => stream.on('close', () => resolve()));
  const content = await text(stream).catch(() => '');
  await closed;
  return {
    status: Number(head[':status'] ?? 0),
    headers: head,
    body: content,
    trailers: tail,
    resetCode: stream.rstCode ?? 0,
  };
}
