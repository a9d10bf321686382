// Traces of requests, where they are configured: each request that is sampled becomes a span of the gate and,
// when it was forwarded, one of the call to its backend. Finished spans go to the main thread in batches;
// when there are too many, they are dropped and counted. Without the section `tracing`, nothing here is made.

import { methodName, type Span } from '../domain/span.ts';
import { parseTraceParent, parseTraceState, traceParentText } from '../domain/trace-context.ts';
import { valuesOf } from './flat-headers.ts';
import type { FromWorker, TracingSettings } from './messages.ts';
import { RequestTrace } from './request-trace.ts';
import type { Visit } from './visit.ts';

/** `isProxy`: whether a trusted proxy sent it. A stranger chooses neither trace nor sampling. */
export function traceOf(
  { sampleRatio, trustIncoming }: TracingSettings,
  { exchange: { rawHeaders } }: Visit,
  isProxy: boolean,
): RequestTrace {
  const isBelieved = trustIncoming === 'all' || (trustIncoming === 'proxies' && isProxy);
  const parents = isBelieved ? valuesOf(rawHeaders, 'traceparent') : NONE;
  const parent = parents.length === 1 ? parseTraceParent(parents[0] ?? '') : null;
  const state = parent === null ? null : parseTraceState(valuesOf(rawHeaders, 'tracestate').join(','));
  return new RequestTrace(parent, state, sampleRatio);
}

/** In place of what came with the request, whoever sent it. `headers` is changed. */
export function writeTrace(headers: string[], { traceId, callId, isSampled, state }: RequestTrace): void {
  for (let index = headers.length - 2; index >= 0; index -= 2)
    if (CONTEXT.test(headers[index] ?? '')) headers.splice(index, 2);
  headers.push('traceparent', traceParentText({ traceId, spanId: callId, isSampled }));
  if (state !== null) headers.push('tracestate', state);
}

export type Tracer = {
  readonly finished: (visit: Visit, trace: RequestTrace) => void;
  readonly flush: () => void;
};

export function createTracer(post: (message: FromWorker) => void): Tracer {
  let spans: Span[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    if (spans.length === 0) return;
    post({ type: 'spans', spans, dropped });
    spans = [];
    dropped = 0;
  };
  return {
    flush,
    finished(visit, trace) {
      if (!trace.isSampled) return;
      timer ??= setTimeout(flush, BATCH_MS).unref();
      if (spans.length >= MAX_WAITING) dropped += trace.calledAt === null ? 1 : 2;
      else spans.push(...spansOf(visit, trace));
    },
  };
}

function spansOf(visit: Visit, trace: RequestTrace): readonly Span[] {
  const { traceId, spanId, parent, callId, calledAt } = trace;
  const endedAt = performance.timeOrigin + performance.now();
  const method = methodName(visit.exchange.method);
  const share = visit.share?.name ?? null;
  const isError = visit.status >= 500 || visit.status === 0;
  const common = {
    'http.request.method': method,
    ...(visit.status > 0 && { 'http.response.status_code': visit.status }),
  };
  const server: Span = {
    traceId,
    spanId,
    parentId: parent?.spanId ?? null,
    isParentRemote: parent !== null,
    name: share === null ? method : `${method} ${share}`,
    kind: 'server',
    startedAt: performance.timeOrigin + visit.startedAt,
    endedAt,
    attributes: {
      ...common,
      ...(share !== null && { 'http.route': share }),
      ...(trace.decision !== null && { 'doorward.decision': trace.decision }),
      ...(trace.ground !== null && { 'doorward.ground': trace.ground }),
      ...(visit.reason !== null && { 'doorward.reason': visit.reason }),
      'doorward.request_id': visit.id,
    },
    isError,
  };
  if (calledAt === null) return [server];
  return [
    server,
    {
      traceId,
      spanId: callId,
      parentId: spanId,
      isParentRemote: false,
      name: method,
      kind: 'client',
      startedAt: performance.timeOrigin + calledAt,
      endedAt,
      attributes: common,
      isError: isError || !visit.answered,
    },
  ];
}

const NONE: readonly string[] = [];
const CONTEXT = /^trace(?:parent|state)$/i;
const BATCH_MS = 1_000;
/** Some megabytes for each worker, should the main thread be slow. */
const MAX_WAITING = 2_048;
