// One request on its way through the gate: what was found out about it, and what became of it, for log and
// metrics.

import type { Share } from '../domain/share.ts';
import { plainAddress, type Visitor } from './forwarding-headers.ts';
import type { GuardedRequest } from './guard.ts';
import { readHead, type HeadFacts } from './head-facts.ts';
import type { RequestTrace } from './request-trace.ts';
import type { Exchange } from './inbound.ts';

export class Visit {
  readonly exchange: Exchange;
  readonly facts: HeadFacts;
  readonly startedAt: number;
  /** In the log, on pages, and in X-Request-Id towards the backend. */
  id: string;
  visitor: Visitor;
  /** Null until the guard let it pass. */
  request: GuardedRequest | null = null;
  /** Null for the service's own hosts and unknown ones. */
  share: Share | null = null;
  email: string | null = null;
  /** The serial number of the client certificate that let the visitor in. */
  certificate: string | null = null;
  /** Its common name, or all of its subject where that has none. */
  holder: string | null = null;
  /** The name of the service token that came with it and counts here. */
  token: string | null = null;
  /** 0 until an answer began. */
  status = 0;
  bytesSent = 0;
  bytesReceived = 0;
  /** The backend's answer began, or a proxy was told to forward. */
  answered = false;
  /** A proxy asked about it, and forwards it. */
  authorized = false;
  /** A stable code of why it was not forwarded, or was cut off. */
  reason: string | null = null;
  /** Null unless traces are configured. */
  trace: RequestTrace | null = null;
  /** The visitor left, or the answer is whole. */
  closed = false;

  constructor(exchange: Exchange, id: string) {
    this.exchange = exchange;
    this.id = id;
    this.facts = readHead(exchange.rawHeaders);
    this.startedAt = performance.now();
    const remote = plainAddress(exchange.remoteAddress);
    this.visitor = { address: remote, chain: remote };
  }
}

/** Names each request of this worker: a random part that tells workers and starts apart, and a number. */
export function createRequestIds(random: string): () => string {
  let count = 0;
  return () => `${random}-${(++count).toString(36)}`;
}

/** A trusted proxy's own request id is kept when it looks like one. */
export function isRequestId(text: string): boolean {
  return /^[A-Za-z0-9_.:=-]{8,128}$/.test(text);
}
