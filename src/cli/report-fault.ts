// Tells a fault and answers the exit code (DESIGN 2.4): `error:` then `hint:` for people, one JSON object for
// programs, both on the error stream.

import { CommanderError } from 'commander';
import { asServiceError, ServiceError } from '../domain/service-error.ts';
import { plain, type Terminal } from './terminal.ts';

/** 1 failed, 2 wrong usage or bad configuration, 4 not allowed; 0 when help or the version was asked for. */
export function reportFault(terminal: Terminal, error: unknown, json: boolean): number {
  if (error instanceof CommanderError && (error.exitCode === 0 || error.code === 'commander.help'))
    return error.exitCode === 0 ? 0 : WRONG_USAGE;
  const fault = faultOf(error);
  const { code, message, hint, extra } = fault;
  if (json)
    terminal.err(
      `${JSON.stringify({ ...extra, code, detail: message, ...(hint === null ? {} : { hint }) })}\n`,
    );
  else {
    const lines = message.includes('\n') ? message.split('\n') : [message, ...faultLines(extra['faults'])];
    terminal.err(`error: ${lines.map(plain).join('\n')}\n`);
    if (hint !== null) terminal.err(`hint: ${plain(hint)}\n`);
  }
  return fault.fault.exit;
}

function faultOf(error: unknown): ServiceError {
  if (error instanceof CommanderError) return usageFault(error);
  const message = error instanceof Error ? error.message : String(error);
  return asServiceError(error, `Cannot finish the command: ${message}`);
}

function usageFault(error: CommanderError): ServiceError {
  const [first = '', ...rest] = error.message.replace(/^error: /, '').split('\n');
  const guess = rest
    .join(' ')
    .trim()
    .replaceAll(/^\(|\)$/g, '');
  return new ServiceError('usage', `Cannot run the command: ${first}`, {
    hint: guess === '' ? 'To see the usage, add --help.' : guess,
  });
}

/** The faults of an input, each on its line, when the message could name one only. */
function faultLines(faults: unknown): readonly string[] {
  if (!Array.isArray(faults) || faults.length < 2) return [];
  return faults.map((fault: unknown) => {
    const members: Readonly<Record<string, unknown>> =
      typeof fault === 'object' && fault !== null ? { ...fault } : {};
    return `  ${String(members['path'] ?? '')}: ${String(members['message'] ?? '')}`;
  });
}

const WRONG_USAGE = 2;
