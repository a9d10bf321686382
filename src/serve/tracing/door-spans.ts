// Spans of the service's own doors: each request to the OAuth frontend and to the control API, and the calls
// to providers that it makes. What came through the gateway goes on with the gateway's trace; what came
// another way begins one.

import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { methodName, type Span } from '../../domain/span.ts';
import { type SpanScope, spanScope } from '../../domain/span-scope.ts';
import { parseTraceParent } from '../../domain/trace-context.ts';
import type { Asker, Handler } from '../front-doors.ts';
import type { SpanQueue } from './span-queue.ts';

export type Door = 'oauth' | 'control';
export type TraceDoor = (door: Door, handle: Handler) => Handler;

type DoorSpansOptions = { readonly spans: Pick<SpanQueue, 'add'>; readonly sampleRatio: number };

export function createDoorSpans(options: DoorSpansOptions): TraceDoor {
  return (door, handle) => (asker) => {
    const inner = handle(asker);
    return (request, response) => {
      const step = begin(options, request, asker);
      if (step === null) return void inner(request, response);
      response.once('close', () => end(options, step, { door, request, response }));
      spanScope.run(scopeOf(options, step), () => inner(request, response));
    };
  };
}

type Step = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string | null;
  readonly startedAt: number;
};

/** Null for what is not sampled. */
function begin(
  { sampleRatio }: DoorSpansOptions,
  { headers }: IncomingMessage,
  { isInside }: Asker,
): Step | null {
  const header = headers['traceparent'];
  // The gateway writes this header itself. A connection that was reset has no address either.
  const parent = isInside && typeof header === 'string' ? parseTraceParent(header) : null;
  if (!(parent?.isSampled ?? Math.random() < sampleRatio)) return null;
  const traceId = parent?.traceId ?? newId(16);
  return { traceId, spanId: newId(8), parentId: parent?.spanId ?? null, startedAt: timeNow() };
}

type Ended = { readonly door: Door; readonly request: IncomingMessage; readonly response: ServerResponse };

function end({ spans }: DoorSpansOptions, step: Step, { door, request, response }: Ended): void {
  const method = methodName(request.method ?? '');
  const route = routeOf(door, request.url ?? '');
  const { statusCode, writableFinished } = response;
  const span: Span = {
    ...step,
    isParentRemote: false,
    name: `${method} ${route}`,
    kind: 'server',
    endedAt: timeNow(),
    attributes: {
      'http.request.method': method,
      'http.route': route,
      'http.response.status_code': statusCode,
    },
    isError: statusCode >= 500 || !writableFinished,
  };
  spans.add([span], 0);
}

function scopeOf({ spans }: DoorSpansOptions, { traceId, spanId: parentId }: Step): SpanScope {
  return {
    call: (method, host) => {
      const startedAt = timeNow();
      return (status) => {
        const name = methodName(method);
        const span: Span = {
          traceId,
          spanId: newId(8),
          parentId,
          isParentRemote: false,
          name,
          kind: 'client',
          startedAt,
          endedAt: timeNow(),
          attributes: {
            'http.request.method': name,
            'server.address': host,
            ...(status !== null && { 'http.response.status_code': status }),
          },
          isError: status === null || status >= 400,
        };
        spans.add([span], 0);
      };
    },
  };
}

/** What a path is about, without what somebody named or typed. */
function routeOf(door: Door, url: string): string {
  const path = url.split('?', 1)[0] ?? '';
  const [, known] = (door === 'oauth' ? LOGIN_ROUTE : API_ROUTE).exec(path) ?? [];
  return known === undefined ? door : `${door === 'oauth' ? 'login: ' : ''}${known}`;
}

function newId(bytes: number): string {
  return randomBytes(bytes).toString('hex');
}

function timeNow(): number {
  return performance.timeOrigin + performance.now();
}

const LOGIN_ROUTE =
  /^(?:\/[a-z0-9-]{1,40})?\/(login|logout|logged-out|auth\/callback|backchannel-logout|request-access|who-to-ask|choose)$/;
/** The collection of the API, or the console's own. */
const API_ROUTE =
  /^(\/v1\/(?:shares|auth-providers|hosts|sessions|audit-events|webhooks|members|api-keys|overview|status|caller|gateways|account|own)|\/console|\/oauth)(?:\/|$)/;
