// The log: one JSON object a line (pino), to stderr or a file, times in RFC 3339, every field through
// `redact.ts`.

import { type DestinationStream, pino } from 'pino';
import type { Log } from '../../domain/log.ts';
import { redact, redactText } from './redact.ts';

export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

export type Logger = {
  readonly log: Log;
  /** Appends whole lines of JSON that a worker made. */
  readonly appendLines: (lines: string) => void;
  /** Writes out what is still held back. */
  readonly flush: () => void;
};

export type LoggerOptions = {
  readonly level: LogLevel;
  /** A file to append to; stderr when null. */
  readonly file: string | null;
};

export function createLogger({ level, file }: LoggerOptions): Logger {
  // Synchronous, so that the last words before a crash are not lost; the data plane batches its lines before
  // they come.
  const where = file === null ? { fd: STDERR } : { dest: file, append: true, mkdir: true, mode: OWNER_ONLY };
  const destination = pino.destination({ ...where, sync: true });
  // A full disk or a closed terminal loses log lines, not the service.
  destination.on('error', () => undefined);
  return {
    log: createLog(level, destination),
    appendLines: (lines) => void destination.write(lines),
    flush: () => destination.flushSync(),
  };
}

/** A log on any stream of lines. */
export function createLog(level: LogLevel, stream: DestinationStream): Log {
  return pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { err: (error: unknown) => error },
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => redact(fields) as Record<string, unknown>,
      },
      hooks: {
        logMethod(inputs, method) {
          const texts = inputs.map((input: unknown) =>
            typeof input === 'string' ? redactText(input) : input,
          );
          method.apply(this, texts as Parameters<typeof method>);
        },
      },
    },
    stream,
  );
}

const STDERR = 2;
const OWNER_ONLY = 0o600;
