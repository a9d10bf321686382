// What is used of OpenTelemetry's exporter. Its own types want the objects of its whole SDK; what it reads of
// a span are these plain fields (`sdkSpanToOtlpSpan` of its transformer).

declare module '@opentelemetry/exporter-trace-otlp-http' {
  type SpanContext = {
    readonly traceId: string;
    readonly spanId: string;
    readonly traceFlags: number;
    readonly isRemote?: boolean;
  };

  export type ExportedSpan = {
    readonly name: string;
    readonly kind: number;
    readonly spanContext: () => SpanContext;
    readonly parentSpanContext?: SpanContext;
    /** Seconds and nanoseconds since the epoch. */
    readonly startTime: [number, number];
    readonly endTime: [number, number];
    readonly status: { readonly code: number };
    readonly attributes: Readonly<Record<string, string | number>>;
    readonly links: readonly never[];
    readonly events: readonly never[];
    readonly droppedAttributesCount: number;
    readonly droppedEventsCount: number;
    readonly droppedLinksCount: number;
    /** The same object for all spans of one program. */
    readonly resource: { readonly attributes: Readonly<Record<string, string>> };
    readonly instrumentationScope: { readonly name: string; readonly version: string };
  };

  export class OTLPTraceExporter {
    constructor(options: {
      readonly url: string;
      readonly headers: Readonly<Record<string, string>>;
      readonly timeoutMillis: number;
    });
    /** `code`: 0 once the collector took them. */
    export(
      spans: readonly ExportedSpan[],
      done: (result: { readonly code: number; readonly error?: Error }) => void,
    ): void;
    shutdown(): Promise<void>;
  }
}
