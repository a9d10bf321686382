// OTLP over HTTP, by OpenTelemetry's own exporter, which is loaded only where tracing is configured.

import packageFile from '../../../package.json' with { type: 'json' };
import type { TracingConfig } from '../../config/config.ts';
import type { Span } from '../../domain/span.ts';
import type { SendSpans } from './span-queue.ts';

export async function openOtlp({ otlpEndpoint, headers, serviceName }: TracingConfig): Promise<SendSpans> {
  const { OTLPTraceExporter } = await import('@opentelemetry/exporter-trace-otlp-http');
  const exporter = new OTLPTraceExporter({
    url: otlpEndpoint.href,
    headers: Object.fromEntries(headers.map(([name, value]) => [name, value.reveal()])),
    timeoutMillis: TIMEOUT_MS,
  });
  const common = {
    resource: { attributes: { 'service.name': serviceName, 'service.version': packageFile.version } },
    instrumentationScope: { name: 'doorward', version: packageFile.version },
  };
  return (spans) => {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    exporter.export(
      spans.map((span) => ({ ...readable(span), ...common })),
      ({ code, error }) => (code === SUCCESS ? resolve() : reject(error ?? new Error('it was refused'))),
    );
    return promise;
  };
}

/** `ReadableSpan` of the SDK. */
function readable(span: Span) {
  const { traceId, spanId, parentId, isParentRemote, name, attributes } = span;
  const [startTime, endTime] = [hrTime(span.startedAt), hrTime(span.endedAt)];
  return {
    name,
    kind: KINDS[span.kind],
    spanContext: () => ({ traceId, spanId, traceFlags: SAMPLED }),
    ...(parentId !== null && {
      parentSpanContext: { traceId, spanId: parentId, traceFlags: SAMPLED, isRemote: isParentRemote },
    }),
    startTime,
    endTime,
    status: { code: span.isError ? ERROR : UNSET },
    attributes,
    links: [],
    events: [],
    droppedAttributesCount: 0,
    droppedEventsCount: 0,
    droppedLinksCount: 0,
  };
}

/** Seconds and nanoseconds. */
function hrTime(ms: number): [number, number] {
  const seconds = Math.floor(ms / 1000);
  return [seconds, Math.min(999_999_999, Math.round((ms - seconds * 1000) * 1e6))];
}

/** `SpanKind`, `SpanStatusCode`, `ExportResultCode` and `TraceFlags` of the SDK. */
const KINDS = { server: 1, client: 2 } as const;
const [UNSET, ERROR] = [0, 2] as const;
const SUCCESS = 0;
const SAMPLED = 1;
/** With its own tries; the queue waits meanwhile. */
const TIMEOUT_MS = 10_000;
