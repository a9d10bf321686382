// What prom-client measures of the process and of Node, on Linux; elsewhere some of it is missing. Its names
// are its own: gauges that end in `_total` among them.

import type { MetricRecord } from '../../src/domain/metric.ts';

export const PROCESS_METRICS: Readonly<Record<string, MetricRecord>> = {
  process_cpu_user_seconds_total: counter('CPU time in user mode.'),
  process_cpu_system_seconds_total: counter('CPU time in the kernel.'),
  process_cpu_seconds_total: counter('CPU time in all.'),
  process_start_time_seconds: gauge('When the process started.', 'seconds'),
  process_resident_memory_bytes: gauge('Memory in RAM, of all threads.', 'bytes'),
  process_virtual_memory_bytes: gauge('Virtual memory.', 'bytes'),
  process_heap_bytes: gauge('Data segment of the process.', 'bytes'),
  process_open_fds: gauge('Open file descriptors. Each connection is one.'),
  process_max_fds: gauge('Most file descriptors that may be open.'),
  nodejs_eventloop_lag_seconds: gauge('How late the event loop of the main thread runs now.', 'seconds'),
  nodejs_eventloop_lag_min_seconds: gauge('Smallest delay since the last scrape.', 'seconds'),
  nodejs_eventloop_lag_max_seconds: gauge('Largest delay since the last scrape.', 'seconds'),
  nodejs_eventloop_lag_mean_seconds: gauge('Mean delay since the last scrape.', 'seconds'),
  nodejs_eventloop_lag_stddev_seconds: gauge('Standard deviation of the delay.', 'seconds'),
  nodejs_eventloop_lag_p50_seconds: gauge('Median delay since the last scrape.', 'seconds'),
  nodejs_eventloop_lag_p90_seconds: gauge('90th percentile of the delay.', 'seconds'),
  nodejs_eventloop_lag_p99_seconds: gauge('99th percentile of the delay.', 'seconds'),
  nodejs_active_resources: gauge('What keeps the main thread running, by type.', null, {
    type: "Node's name of the resource",
  }),
  nodejs_active_resources_total: gauge('What keeps the main thread running.'),
  nodejs_active_handles: gauge('Handles of libuv.', null, { type: "Node's name of the handle" }),
  nodejs_active_handles_total: gauge('Handles of libuv in all.'),
  nodejs_active_requests: gauge('Requests of libuv.', null, { type: "Node's name of the request" }),
  nodejs_active_requests_total: gauge('Requests of libuv in all.'),
  nodejs_heap_size_total_bytes: gauge('JavaScript heap of the main thread.', 'bytes'),
  nodejs_heap_size_used_bytes: gauge('Used part of that heap.', 'bytes'),
  nodejs_external_memory_bytes: gauge('Memory outside of that heap that belongs to it.', 'bytes'),
  nodejs_heap_space_size_total_bytes: gauge('Heap by space.', 'bytes', {
    space: 'the name that V8 gives it',
  }),
  nodejs_heap_space_size_used_bytes: gauge('Used heap by space.', 'bytes', {
    space: 'the name that V8 gives it',
  }),
  nodejs_heap_space_size_available_bytes: gauge('Available heap by space.', 'bytes', {
    space: 'the name that V8 gives it',
  }),
  nodejs_version_info: gauge('Always 1. The labels have the version of Node.', null, {
    version: 'such as `v26.10.0`',
    major: 'a number',
    minor: 'a number',
    patch: 'a number',
  }),
  nodejs_gc_duration_seconds: {
    ...gauge('Garbage collections of the main thread.', 'seconds', {
      kind: ['major', 'minor', 'incremental', 'weakcb'],
    }),
    type: 'histogram',
  },
};

function gauge(
  meaning: string,
  unit: MetricRecord['unit'] = null,
  labels: MetricRecord['labels'] = {},
): MetricRecord {
  return { type: 'gauge', unit, meaning, labels, since: '0.1.0' };
}

function counter(meaning: string): MetricRecord {
  return { ...gauge(meaning, 'seconds'), type: 'counter' };
}
