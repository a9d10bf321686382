// One line a request: time, method, path, status, duration, email.

import type { ShareRequestObject } from '../../../wire/share-request.ts';
import type { ServedFault } from '../../../tunnel/told.ts';
import type { ShownRequest } from './view.ts';
import { visible } from './visible.ts';

/** Whatever a visitor wrote into method, path or address, it stays one line and steers no terminal. */
export function requestLine({ fault, email, ...request }: ShownRequest, colours: boolean): string {
  return lineOf({ ...request, who: email ?? '-', note: fault === null ? null : FAULTS[fault] }, colours);
}

/** As the control API tells it; whoever showed no name is named by their address. */
export function watchedLine(request: ShareRequestObject, colours: boolean): string {
  const { at, method, path, status, ms: durationMs, who, reason, aborted, address, authorized } = request;
  const note = reason ?? (aborted ? BROKEN_OFF : null);
  const line = {
    at: Date.parse(at),
    method,
    path,
    status,
    durationMs,
    who: who ?? address,
    note,
    authorized,
  };
  return lineOf(line, colours);
}

type Line = Omit<ShownRequest, 'email' | 'fault'> & {
  readonly who: string;
  readonly note: string | null;
  /** By a proxy, which alone knows the status. */
  readonly authorized?: boolean;
};

function lineOf(line: Line, colours: boolean): string {
  const { at, method, path, status, durationMs, who, note, authorized = false } = line;
  const paint = (code: string, text: string): string => (colours ? `\x1b[${code}m${text}\x1b[0m` : text);
  const cells = [
    paint(DIM, timeOfDay(at)),
    visible(method, MAX_METHOD).padEnd(6),
    visible(path, MAX_PATH).padEnd(32),
    paint(colourOf(status), authorized ? 'authorized' : status === null ? '---' : String(status)),
    durationText(durationMs).padStart(8),
    visible(who, MAX_EMAIL),
    ...(note === null ? [] : [paint(RED, visible(note, MAX_NOTE))]),
  ];
  return `${cells.join('  ')}\n`;
}

/** `15:04:05`, as the clock on the wall says. */
export function timeOfDay(at: number): string {
  return new Date(at).toTimeString().slice(0, 8);
}

function durationText(durationMs: number): string {
  if (durationMs < 1_000) return `${durationMs} ms`;
  if (durationMs < 60_000) return `${(durationMs / 1_000).toFixed(1)} s`;
  const minutes = Math.floor(durationMs / 60_000);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

function colourOf(status: number | null): string {
  if (status === null || status >= 500) return RED;
  if (status >= 400) return YELLOW;
  return status >= 300 ? CYAN : GREEN;
}

const DIM = '2';
const RED = '31';
const GREEN = '32';
const YELLOW = '33';
const CYAN = '36';
const FAULTS: Readonly<Record<ServedFault, string>> = {
  backend_down: 'nothing answers here',
  backend_broke_off: 'the answer broke off',
  visitor_left: 'the visitor left',
};
/** A path can have 64 KiB: a line is for reading. */
const MAX_PATH = 160;
const MAX_METHOD = 20;
const MAX_EMAIL = 254;
const MAX_NOTE = 60;
const BROKEN_OFF = 'broken off';
