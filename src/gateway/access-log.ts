// One line of JSON a request, sent to the main thread in batches. Never a query, cookie, token or header in
// it.

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
  const timeOf = createClockText();
  return {
    append,
    flush,
    write: (visit, complete) => append(accessLine(visit, complete, timeOf(Date.now()))),
  };
}

/** A fault of ours or of a backend, with its causes, which no visitor sees. A defect brings its stack. */
export function faultLine(visit: Visit, error: ServiceError, now: number): string {
  const defect = error.code === 'internal';
  const line = {
    level: defect ? 'error' : 'warn',
    time: new Date(now).toISOString(),
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
function accessLine(visit: Visit, complete: boolean, time: string): string {
  const { exchange, request, share, email, certificate, token, reason, authorized } = visit;
  const tenths = Math.round((performance.now() - visit.startedAt) * 10);
  return (
    `{"level":"info","time":"${time}","msg":"request","requestId":${quoted(visit.id)}` +
    (share === null ? '' : `,"share":${quoted(share.name)}`) +
    (request === null ? '' : `,"host":${quoted(request.host)}`) +
    `,"method":${quoted(exchange.method)},"path":${quoted(pathOf(exchange.target, MAX_PATH))}` +
    `,"status":${visit.status},"ms":${Math.floor(tenths / 10)}.${tenths % 10}` +
    `,"bytes":${visit.bytesSent},"received":${visit.bytesReceived}` +
    `,"ip":${quoted(visit.visitor.address)},"protocol":"${exchange.protocol}"` +
    (email === null ? '' : `,"email":${quoted(email)}`) +
    (certificate === null ? '' : `,"certificate":${quoted(certificate)}`) +
    (token === null ? '' : `,"token":${quoted(token)}`) +
    (authorized ? ',"authorized":true' : '') +
    (reason === null ? '' : `,"reason":${quoted(reason)}`) +
    (complete ? '' : ',"aborted":true') +
    '}\n'
  );
}

/** A JSON string; what needs no escaping, and that is nearly all, is spared the way through the runtime. */
function quoted(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text);
}

/** Milliseconds as RFC 3339 in UTC; the text of one second serves all of its requests. */
function createClockText(): (now: number) => string {
  let second = Number.NaN;
  let text = '';
  return (now) => {
    const ms = now % 1000;
    if (now - ms !== second) {
      second = now - ms;
      text = new Date(second).toISOString().slice(0, -4);
    }
    return `${text}${String(ms).padStart(3, '0')}Z`;
  };
}

/**
 * Without query and fragment, where tokens travel, or the userinfo of an absolute address; of so many
 * characters at most.
 */
export function pathOf(target: string, most: number): string {
  const end = target[0] === '/' ? target.search(QUERY) : -1;
  const path = end === -1 ? (PATH.exec(target)?.[1] ?? '') : target.slice(0, end);
  return path.length <= most ? path : `${path.slice(0, most)}…`;
}

/** Visible ASCII and the space, without `"` and `\`. */
const PLAIN = /^[ !#-[\]-~]*$/;
const QUERY = /[?#]|$/;
const PATH = /^(?:[a-z][a-z0-9+.-]*:\/\/[^/?#]*)?(\/[^?#]*|\*$)/i;
const MAX_PATH = 2_048;
const MAX_CAUSES = 5;
/** A message costs the same for one line as for hundreds; a fifth of a second is still fresh for a reader. */
const BATCH_MS = 200;
const BATCH_CHARACTERS = 64 * 1024;
