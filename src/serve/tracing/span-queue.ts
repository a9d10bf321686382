// Finished spans on their way to the collector: one batch at a time, beside everything else. A collector that
// is slow or away costs what waits here, which is bounded; what does not fit, or is not taken, is dropped and
// counted.

import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../domain/log.ts';
import { byLabel, type Metric } from '../../domain/metric.ts';
import type { Span } from '../../domain/span.ts';
import { told } from '../service-metrics.ts';

export type SpanQueue = {
  /** `dropped`: how many more there were. */
  readonly add: (spans: readonly Span[], dropped: number) => void;
  readonly collect: () => readonly Metric[];
  /** Resolves once what waits was sent, or after a moment. */
  readonly close: () => Promise<void>;
};

/** Rejects when the collector does not take them. */
export type SendSpans = (spans: readonly Span[]) => Promise<void>;

export type SpanQueueDeps = {
  readonly send: SendSpans;
  readonly log: Pick<Log, 'warn' | 'info'>;
  /** Between two tries at a collector that fails. */
  readonly retryMs?: number;
  /** For a collector that neither takes a batch nor refuses it. */
  readonly sendMs?: number;
};

export function createSpanQueue({
  send,
  log,
  retryMs = RETRY_MS,
  sendMs = SEND_MS,
}: SpanQueueDeps): SpanQueue {
  const counts = { exported: 0, dropped: 0 };
  const closing = new AbortController();
  let waiting: Span[] = [];
  let running: Promise<void> | null = null;
  let isAway = false;

  const sendAll = async (): Promise<void> => {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      try {
        await soon(send(batch), sendMs);
        counts.exported += batch.length;
        if (isAway) log.info({}, 'The collector of traces answers again');
        isAway = false;
      } catch (error) {
        counts.dropped += batch.length;
        if (!isAway) log.warn({ err: error }, 'Cannot send traces: the collector does not take them');
        isAway = true;
        if (closing.signal.aborted) return;
        await pause(retryMs, undefined, { ref: false, signal: closing.signal }).catch(() => undefined);
      }
    }
  };
  const start = () => {
    running ??= sendAll().finally(() => {
      running = null;
    });
  };
  return {
    add(spans, dropped) {
      const room = Math.max(0, MAX_WAITING - waiting.length);
      waiting.push(...spans.slice(0, room));
      counts.dropped += dropped + Math.max(0, spans.length - room);
      start();
    },
    collect: () => spanMetrics(counts),
    async close() {
      closing.abort();
      start();
      await Promise.race([running, pause(CLOSE_MS, undefined, { ref: false })]);
      waiting = [];
    },
  };
}

/** The exporter's own limit is one of silence: an answer that comes byte by byte never meets it. */
async function soon(sent: Promise<void>, limitMs: number): Promise<void> {
  const over = new AbortController();
  const late = pause(limitMs, undefined, { ref: false, signal: over.signal }).then(() => {
    throw new Error('it does not answer in time');
  });
  try {
    await Promise.race([sent, late]);
  } finally {
    over.abort();
  }
}

type Counts = { readonly exported: number; readonly dropped: number };

export function spanMetrics(counts: Counts): readonly Metric[] {
  return [told('doorward_tracing_spans_total', byLabel('result', Object.entries(counts)))];
}

const BATCH = 512;
/** About ten megabytes. */
const MAX_WAITING = 8_192;
const RETRY_MS = 5_000;
/** Beyond the exporter's own tries (`otlp.ts`). */
const SEND_MS = 30_000;
/** A service that stops does not wait for a collector longer than this. */
const CLOSE_MS = 2_000;
