// Requests that the gateway tells an agent of once they are over: the agent itself only passes bytes on, and
// shows them to whoever watches it.

import { MAX_FRAME_BYTES } from './limits.ts';

/** One request, told once it is over. */
export type ServedRequest = {
  readonly head: { readonly method: string; readonly path: string };
  readonly outcome: ServedOutcome;
  readonly durationMs: number;
  /** Whose it is, as the target was told; null when nobody logged in. */
  readonly email: string | null;
};

export type ServedOutcome = {
  /** 0 when there was no answer. */
  readonly status: number;
  /** Null when the answer went out whole. */
  readonly fault: ServedFault | null;
};

export type ServedFault = (typeof FAULTS)[number];

/** Frames' payloads, none too large. */
export function writeTold(requests: readonly ServedRequest[]): readonly Buffer[] {
  const payloads: Buffer[] = [];
  let rows: string[] = [];
  let bytes = 2;
  const flush = () => {
    if (rows.length > 0) payloads.push(Buffer.from(`[${rows.join(',')}]`));
    rows = [];
    bytes = 2;
  };
  for (const { head, outcome, durationMs, email } of requests) {
    const row = JSON.stringify([
      head.method.slice(0, MAX_METHOD),
      head.path.slice(0, MAX_PATH),
      outcome.status,
      outcome.fault,
      Math.round(durationMs),
      email,
    ]);
    const length = Buffer.byteLength(row) + 1;
    if (bytes + length > MAX_FRAME_BYTES) flush();
    rows.push(row);
    bytes += length;
  }
  flush();
  return payloads;
}

/** Null for what no gateway says. */
export function readTold(payload: Buffer): readonly ServedRequest[] | null {
  let rows: unknown;
  try {
    rows = JSON.parse(payload.toString());
  } catch {
    return null;
  }
  if (!Array.isArray(rows)) return null;
  const requests = rows.map(readRow);
  return requests.includes(null) ? null : (requests as readonly ServedRequest[]);
}

function readRow(row: unknown): ServedRequest | null {
  if (!Array.isArray(row)) return null;
  const [method, path, status, fault, durationMs, email] = row as readonly unknown[];
  if (typeof method !== 'string' || typeof path !== 'string') return null;
  if (typeof status !== 'number' || typeof durationMs !== 'number') return null;
  if (email !== null && typeof email !== 'string') return null;
  const known = fault === null ? null : FAULTS.find((each) => each === fault);
  if (known === undefined) return null;
  return { head: { method, path }, outcome: { status, fault: known }, durationMs, email };
}

const FAULTS = ['backend_down', 'backend_broke_off', 'visitor_left'] as const;
/** A row stays below a frame, however its characters are written. */
const MAX_PATH = 8_000;
const MAX_METHOD = 100;
