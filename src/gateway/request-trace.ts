// What a visit knows of the trace that it belongs to.

import { randomBytes } from 'node:crypto';
import type { Decision } from '../domain/decision.ts';
import type { TraceParent } from '../domain/trace-context.ts';

export class RequestTrace {
  readonly traceId: string;
  readonly spanId = newSpanId();
  readonly parent: TraceParent | null;
  readonly state: string | null;
  readonly isSampled: boolean;
  /** Of the call to the backend. */
  readonly callId = newSpanId();
  /** On the clock of `performance.now()`; null when nothing was forwarded. */
  calledAt: number | null = null;
  decision: Decision['kind'] | null = null;
  /** On what somebody was let in. */
  ground: string | null = null;

  constructor(parent: TraceParent | null, state: string | null, sampleRatio: number) {
    this.parent = parent;
    this.state = state;
    this.traceId = parent?.traceId ?? randomBytes(16).toString('hex');
    this.isSampled = parent?.isSampled ?? Math.random() < sampleRatio;
  }
}

function newSpanId(): string {
  return randomBytes(8).toString('hex');
}
