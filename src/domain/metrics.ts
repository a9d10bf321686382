// Every metric that Doorward itself measures: what writes them and their reference are made of this record.
// Those of the process are Node's, and prom-client measures them.

import { STATUS_CLASSES } from './activity.ts';
import { AUDIT_KINDS } from './audit-kind.ts';
import type { MetricRecord } from './metric.ts';

const ACCOUNT = 'the id of the account, or `other`';
const SHARE = 'the name of a share that `metrics.shares` chooses, or `other` for all others together';

export const METRICS = {
  doorward_build_info: {
    type: 'gauge',
    unit: null,
    meaning: 'Always 1. The label has the version that runs.',
    labels: { version: 'the version, such as `0.1.0`' },
    since: '0.1.0',
  },
  doorward_gateway_workers: {
    type: 'gauge',
    unit: null,
    meaning: 'Worker threads that accept requests.',
    labels: {},
    since: '0.1.0',
  },
  doorward_gateway_requests_total: {
    type: 'counter',
    unit: null,
    meaning: 'Finished requests by class of status. `none`: cut before an answer.',
    labels: { code: STATUS_CLASSES },
    since: '0.1.0',
  },
  doorward_gateway_decisions_total: {
    type: 'counter',
    unit: null,
    meaning: 'Decisions about requests to shares.',
    labels: { kind: ['forward', 'login', 'recheck', 'refuse'] },
    since: '0.1.0',
  },
  doorward_gateway_body_bytes_total: {
    type: 'counter',
    unit: 'bytes',
    meaning: 'Bytes of request bodies (received) and response bodies (sent).',
    labels: { direction: ['received', 'sent'] },
    since: '0.1.0',
  },
  doorward_gateway_questions_total: {
    type: 'counter',
    unit: null,
    meaning: 'Questions of workers about sessions that they have not seen.',
    labels: { what: ['all'] },
    since: '0.1.0',
  },
  doorward_gateway_request_duration_seconds: {
    type: 'histogram',
    unit: 'seconds',
    meaning: 'Time from the head of a request to the end of its response.',
    labels: {},
    since: '0.1.0',
  },
  doorward_gateway_open_requests: {
    type: 'gauge',
    unit: null,
    meaning: 'Requests in progress, WebSockets included.',
    labels: {},
    since: '0.1.0',
  },
  doorward_gateway_open_websockets: {
    type: 'gauge',
    unit: null,
    meaning: 'Open WebSockets.',
    labels: {},
    since: '0.1.0',
  },
  doorward_gateway_shares: {
    type: 'gauge',
    unit: null,
    meaning: 'Shares that this gateway knows.',
    labels: {},
    since: '0.1.0',
    over: 'max',
  },
  doorward_gateway_known_sessions: {
    type: 'gauge',
    unit: null,
    meaning: 'Sessions that a worker knows without asking.',
    labels: {},
    since: '0.1.0',
    over: 'max',
  },
  doorward_gateway_tunnels: {
    type: 'gauge',
    unit: null,
    meaning:
      'Control connections of agents that take requests. An agent holds one to each worker for each share.',
    labels: {},
    since: '0.1.0',
  },
  doorward_gateway_tunnel_shares: {
    type: 'gauge',
    unit: null,
    meaning: 'Enabled shares that agents serve: with an agent (connected), without one (waiting).',
    labels: { state: ['connected', 'waiting'] },
    since: '0.1.0',
    over: 'max',
  },
  doorward_gateway_backend_connections: {
    type: 'gauge',
    unit: null,
    meaning: 'Connections to backends, and requests that wait for one.',
    labels: { state: ['active', 'idle', 'waiting'] },
    since: '0.1.0',
  },
  doorward_gateway_event_loop_busy_ratio: {
    type: 'gauge',
    unit: 'ratio',
    meaning: 'How much of the time since the last scrape the busiest worker worked: 0 to 1.',
    labels: {},
    since: '0.1.0',
    over: 'max',
  },
  doorward_events_total: {
    type: 'counter',
    unit: null,
    meaning: 'Audit events by kind.',
    labels: { kind: AUDIT_KINDS },
    since: '0.1.0',
  },
  doorward_logins_total: {
    type: 'counter',
    unit: null,
    meaning: 'Logins at shares by provider and result.',
    labels: {
      provider: 'a provider of `oauth.providers`, or `other` for all that accounts define',
      result: ['succeeded', 'refused', 'failed'],
    },
    since: '0.1.0',
  },
  doorward_share_requests_total: {
    type: 'counter',
    unit: null,
    meaning: 'Finished requests to a share by class of status. Empty with `metrics.shares: none`.',
    labels: { account: ACCOUNT, share: SHARE, code: STATUS_CLASSES },
    since: '0.1.0',
  },
  doorward_share_request_duration_seconds: {
    type: 'histogram',
    unit: 'seconds',
    meaning:
      'Time from the head of a request to the end of its response, of those that the backend of a share answered.',
    labels: { account: ACCOUNT, share: SHARE },
    since: '0.1.0',
  },
  doorward_audit_waiting_events: {
    type: 'gauge',
    unit: null,
    meaning: 'Audit events that are not in the database yet.',
    labels: {},
    since: '0.1.0',
  },
  doorward_audit_lost_events_total: {
    type: 'counter',
    unit: null,
    meaning: 'Audit events that were dropped because too many waited.',
    labels: {},
    since: '0.1.0',
  },
  doorward_webhook_deliveries: {
    type: 'gauge',
    unit: null,
    meaning:
      'Deliveries that wait for their time (waiting), and those due for over a minute (overdue). At most 10,000 of each are counted; every gateway tells the same.',
    labels: { state: ['waiting', 'overdue'] },
    since: '0.1.0',
  },
  doorward_tracing_spans_total: {
    type: 'counter',
    unit: null,
    meaning: 'Spans that the collector of traces took (exported), and that it did not (dropped).',
    labels: { result: ['exported', 'dropped'] },
    since: '0.1.0',
  },
  doorward_store_last_answer_timestamp_seconds: {
    type: 'gauge',
    unit: 'seconds',
    meaning: 'When the database last answered the poll for changes.',
    labels: {},
    since: '0.1.0',
  },
  doorward_store_clock_offset_seconds: {
    type: 'gauge',
    unit: 'seconds',
    meaning: 'Clock of the database minus clock of this machine. NaN while unknown.',
    labels: {},
    since: '0.1.0',
  },
  doorward_store_writable: {
    type: 'gauge',
    unit: null,
    meaning: '0 while the database accepts no writes: its disk is full, or it is read-only. Else 1.',
    labels: {},
    since: '0.1.0',
  },
  doorward_store_disk_free_bytes: {
    type: 'gauge',
    unit: 'bytes',
    meaning: 'Free space where the SQLite database is. NaN with PostgreSQL.',
    labels: {},
    since: '0.1.0',
  },
  doorward_store_disk_size_bytes: {
    type: 'gauge',
    unit: 'bytes',
    meaning: 'Size of the file system where the SQLite database is. NaN with PostgreSQL.',
    labels: {},
    since: '0.1.0',
  },
  doorward_tls_first_expiry_timestamp_seconds: {
    type: 'gauge',
    unit: 'seconds',
    meaning: 'When the first certificate of `tls` expires. NaN when there is none.',
    labels: {},
    since: '0.1.0',
  },
  doorward_acme_certificates: {
    type: 'gauge',
    unit: null,
    meaning:
      'Names with automatic certificates: valid, missing (none yet, or expired), failing (the last try failed).',
    labels: { state: ['valid', 'missing', 'failing'] },
    since: '0.1.0',
  },
  doorward_acme_first_expiry_timestamp_seconds: {
    type: 'gauge',
    unit: 'seconds',
    meaning: 'When the first automatic certificate expires. NaN when there is none.',
    labels: {},
    since: '0.1.0',
  },
} as const satisfies Readonly<Record<string, MetricRecord>>;

export type MetricName = keyof typeof METRICS;
