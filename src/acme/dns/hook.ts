// DNS records by a program of the operator's: called without a shell, with `add` or `remove`, the name and
// the value as its last arguments. It ends with 0 once the record is to be seen.

import { execFile } from 'node:child_process';
import type { DnsRecords, TxtRecord } from './dns-records.ts';

/** `command`: the program, absolute, and its first arguments. */
export function hookRecords(command: readonly string[]): DnsRecords {
  const run = (change: 'add' | 'remove', { name, value }: TxtRecord): Promise<void> => {
    const [program = '', ...first] = command;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const options = { timeout: HOOK_LIMIT_MS, killSignal: 'SIGKILL', maxBuffer: MAX_OUTPUT_BYTES } as const;
    execFile(program, [...first, change, name, value], options, (error, _output, said) => {
      if (error === null) return resolve();
      const reason = said.trim().split('\n').at(-1) || `it ended with ${error.signal ?? error.code}`;
      reject(new Error(`Cannot ${change} ${name} with ${program}: ${reason}`));
    });
    return promise;
  };
  return { add: (record) => run('add', record), remove: (record) => run('remove', record) };
}

/** Name servers that copy a zone to others may take minutes. */
const HOOK_LIMIT_MS = 5 * 60_000;
const MAX_OUTPUT_BYTES = 1024 * 1024;
