// One line of JSON a request, sent to the main thread in batches. Never a query, cookie, token or header in it.

import type { ServiceError } from '../domain/service-error.ts';
import type { Visit } from './visit.ts';

export type AccessLog = {
  readonly write: (visit: Visit, complete: boolean) => void;
  /** A whole line of another kind. */
  readonly append: (line: string) => void;
  readonly flush: () => void;
};

/** `send` gets whole lines, newline included. */
export function createAccessLog(send: (lines: string) => void): AccessLog {
  let lines = '';
  let timer: NodeJS.Timeout | null = null;
  const flush = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    const batch = lines;
    lines = '';
    if (batch !== '') send(batch);
  };
  const append = (line: string) => {
    lines += line;
    if (lines.length >= BATCH_CHARACTERS) flush();
    else timer ??= setTimeout(flush, BATCH_MS).unref();
  };
  return { append, flush, write: (visit, complete) => append(accessLine(visit, complete, Date.now())) };
}

/** A fault of ours or of a backend, with its causes, which no visitor sees. A defect brings its stack. */
export function faultLine(visit: Visit, error: ServiceError, now: number): string {
  const defect = error.code === 'internal';
  const line = {
    level: defect ? 'error' : 'warn',
    time: timeText(now),
    msg: error.message,
    requestId: visit.id,
    code: error.code,
    ...(visit.share === null ? {} : { share: visit.share.name }),
    cause: causesOf(error.cause),
    ...(defect && error.cause instanceof Error ? { stack: error.cause.stack } : {}),
  };
  return `${JSON.stringify(line)}\n`;
}

function causesOf(cause: unknown): readonly string[] {
  const causes: string[] = [];
  for (let next = cause; next instanceof Error && causes.length < MAX_CAUSES; next = next.cause)
    causes.push(next.message);
  return causes;
}

/** The main log's shape: the level's name, an RFC 3339 time, `msg`. */
export function accessLine(visit: Visit, complete: boolean, now: number): string {
  const { exchange, request, share, email, reason } = visit;
  const ms = Math.round((performance.now() - visit.startedAt) * 10) / 10;
  return (
    `{"level":"info","time":"${timeText(now)}","msg":"request","requestId":${JSON.stringify(visit.id)}` +
    (share === null ? '' : `,"share":${JSON.stringify(share.name)}`) +
    (request === null ? '' : `,"host":${JSON.stringify(request.host)}`) +
    `,"method":${JSON.stringify(exchange.method)},"path":${JSON.stringify(pathOf(exchange.target))}` +
    `,"status":${visit.status},"ms":${ms},"bytes":${visit.bytesSent},"received":${visit.bytesReceived}` +
    `,"ip":${JSON.stringify(visit.visitor.address)},"protocol":"${exchange.protocol}"` +
    (email === null ? '' : `,"email":${JSON.stringify(email)}`) +
    (reason === null ? '' : `,"reason":${JSON.stringify(reason)}`) +
    (complete ? '' : ',"aborted":true') +
    '}\n'
  );
}

function timeText(now: number): string {
  return new Date(now).toISOString();
}

/** Without query and fragment, where tokens travel, or the userinfo of an absolute address, and of bounded length. */
function pathOf(target: string): string {
  const path = PATH.exec(target)?.[1] ?? '';
  return path.length <= MAX_PATH ? path : `${path.slice(0, MAX_PATH)}…`;
}

const PATH = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*|\*$)/i;
const MAX_PATH = 2_048;
const MAX_CAUSES = 5;
/** A message costs the same for one line as for hundreds; a fifth of a second is still fresh for a reader. */
const BATCH_MS = 200;
const BATCH_CHARACTERS = 64 * 1024;
