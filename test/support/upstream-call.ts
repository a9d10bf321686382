// One exchange of the upstream client, collected.

import type { Duplex } from 'node:stream';
import type { UpstreamError } from '../../src/gateway/upstream/upstream-error.ts';
import type { Upstream } from '../../src/gateway/upstream/upstream.ts';
import type {
  UpstreamExchange,
  UpstreamHandlers,
  UpstreamOrigin,
  UpstreamRequest,
} from '../../src/gateway/upstream/upstream-request.ts';

export type Outcome = {
  /** The handlers' names in the order of their calls. */
  readonly events: string[];
  readonly informational: (readonly [number, readonly string[]])[];
  status: number;
  reason: string;
  headers: readonly string[];
  body: Buffer;
  trailers: readonly string[];
  error: UpstreamError | null;
  socket: Duplex | null;
  firstBytes: Buffer | null;
};

export type Call = {
  readonly exchange: UpstreamExchange;
  readonly done: Promise<Outcome>;
  readonly outcome: Outcome;
};

export type CallPlan = Partial<UpstreamRequest> & {
  /** Told of each handler's call after it was noted. */
  readonly on?: Partial<UpstreamHandlers>;
};

/** `done` resolves at the answer's end, at an upgrade or at an error; never after an abort. */
export function call(upstream: Upstream, origin: UpstreamOrigin, plan: CallPlan = {}): Call {
  const { on = {}, ...request } = plan;
  const outcome = emptyOutcome();
  const { promise: done, resolve } = Promise.withResolvers<Outcome>();
  const chunks: Buffer[] = [];
  const exchange = upstream.exchange(
    origin,
    { ...GET, ...request },
    {
      onInformational: (status, headers) => {
        outcome.events.push('informational');
        outcome.informational.push([status, headers]);
        on.onInformational?.(status, headers);
      },
      onHead: (status, reason, headers) => {
        outcome.events.push('head');
        Object.assign(outcome, { status, reason, headers });
        on.onHead?.(status, reason, headers);
      },
      onData: (chunk) => {
        if (outcome.events.at(-1) !== 'data') outcome.events.push('data');
        chunks.push(chunk);
        return on.onData?.(chunk) ?? true;
      },
      onEnd: (trailers) => {
        outcome.events.push('end');
        Object.assign(outcome, { trailers, body: Buffer.concat(chunks) });
        on.onEnd?.(trailers);
        resolve(outcome);
      },
      onError: (error) => {
        outcome.events.push('error');
        Object.assign(outcome, { error, body: Buffer.concat(chunks) });
        on.onError?.(error);
        resolve(outcome);
      },
      onUpgrade: (headers, socket, firstBytes) => {
        outcome.events.push('upgrade');
        Object.assign(outcome, { status: 101, headers, socket, firstBytes });
        on.onUpgrade?.(headers, socket, firstBytes);
        resolve(outcome);
      },
      onDrain: () => on.onDrain?.(),
    },
  );
  return { exchange, done, outcome };
}

function emptyOutcome(): Outcome {
  return {
    events: [],
    informational: [],
    status: 0,
    reason: '',
    headers: [],
    body: Buffer.alloc(0),
    trailers: [],
    error: null,
    socket: null,
    firstBytes: null,
  };
}

const GET: UpstreamRequest = {
  method: 'GET',
  target: '/',
  headers: ['Host', 'backend.test'],
  body: 'none',
  trailersAllowed: false,
  upgrade: null,
};
