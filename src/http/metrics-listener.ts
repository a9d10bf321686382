// What watches the service asks here: `/healthz` (the process answers), `/readyz` (it can serve), `/metrics`
// (Prometheus). It has an address of its own, which belongs on an inner network; it knows nothing of what it
// reports (DESIGN 2.5).

import type { IncomingMessage, ServerResponse } from 'node:http';
import { inTime } from '../domain/in-time.ts';
import { asServiceError, ServiceError } from '../domain/service-error.ts';
import { type Answer, sendAnswer } from './answer.ts';
import { listen, type Listener, type ListenerAddress, newRequestId } from './listener.ts';
import { problemAnswer } from './problem.ts';
import type { TlsMaterial } from './tls-contexts.ts';

export type Readiness = {
  readonly ready: boolean;
  /** One short public word each: `{"store":"away","gateway":"ok"}`. */
  readonly checks: Readonly<Record<string, string>>;
};

export type MetricsSource = {
  /** The text exposition, and its content type (prom-client's `registry.contentType`). */
  readonly metrics: () => Promise<{ readonly contentType: string; readonly text: string }>;
  readonly readiness: () => Promise<Readiness>;
  /** As the listeners' options have it. */
  readonly instance?: string;
};

/** Throws `address_in_use` when something else listens there. */
export function startMetricsListener(
  at: ListenerAddress,
  certificates: readonly TlsMaterial[] | null,
  source: MetricsSource,
): Promise<Listener> {
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    answerMetrics(request, source).then(
      (answer) => sendAnswer(request, response, answer),
      () => response.destroy(),
    );
  };
  const { instance = null } = source;
  return listen({ name: 'metrics', at, certificates, handle, instance });
}

async function answerMetrics(request: IncomingMessage, source: MetricsSource): Promise<Answer> {
  try {
    if (request.method !== 'GET' && request.method !== 'HEAD')
      throw new ServiceError('method_not_allowed', `Cannot ${request.method}: this listener is read-only`, {
        extra: { allow: 'GET, HEAD' },
      });
    return await answerOf(request.url?.split('?', 1)[0] ?? '/', source);
  } catch (error) {
    return problemAnswer(asServiceError(error, 'Cannot report'), newRequestId());
  }
}

async function answerOf(path: string, source: MetricsSource): Promise<Answer> {
  if (path === '/healthz') return { status: 200, headers: [TEXT, NO_STORE], body: 'ok\n' };
  if (path === '/readyz') {
    const readiness = await inTime(source.readiness(), ANSWER_WITHIN_MS, () => NOT_READY_IN_TIME);
    return {
      status: readiness.ready ? 200 : 503,
      headers: [['content-type', 'application/json'], NO_STORE],
      body: `${JSON.stringify(readiness)}\n`,
    };
  }
  if (path !== '/metrics')
    throw new ServiceError('not_found', `Cannot find ${path}: available are /metrics, /healthz and /readyz`);
  const metrics = await inTime(source.metrics(), ANSWER_WITHIN_MS, () => null);
  if (metrics === null)
    throw new ServiceError('internal', 'Cannot collect metrics: a worker does not answer');
  return { status: 200, headers: [['content-type', metrics.contentType], NO_STORE], body: metrics.text };
}

const TEXT = ['content-type', 'text/plain; charset=utf-8'] as const;
const NO_STORE = ['cache-control', 'no-store'] as const;
const NOT_READY_IN_TIME: Readiness = { ready: false, checks: { service: 'slow' } };

// Below the 10 s after which Prometheus gives up on a scrape, so that it learns why.
const ANSWER_WITHIN_MS = 5_000;
