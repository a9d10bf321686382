// A command in a terminal of its own, by util-linux's script(1): what it shows there, with what a person
// types.

import { spawn } from 'node:child_process';
import { compiled, FRONT_DOOR } from './front-door.ts';

export type TerminalUse = {
  readonly env?: Readonly<Record<string, string>>;
  /** 80 unless said. */
  readonly columns?: number;
  /** Typed when `asked` is shown. */
  readonly answers?: readonly { readonly asked: RegExp; readonly typed: string }[];
};

/** Answers the exit code, and everything that the terminal showed, with plain line ends. */
export function doorwardInTerminal(
  words: readonly string[],
  { env = {}, columns = 80, answers = [] }: TerminalUse,
): Promise<{ readonly code: number | null; readonly shown: string }> {
  const line = [
    'stty',
    'cols',
    String(columns),
    '&&',
    'exec',
    process.execPath,
    FRONT_DOOR,
    ...words.map(quoted),
  ];
  const child = spawn('script', ['--quiet', '--return', '--command', line.join(' '), '/dev/null'], {
    env: { PATH: process.env['PATH'] ?? '', TERM: 'xterm', SHELL: '/bin/sh', ...compiled(), ...env },
    stdio: 'pipe',
    timeout: TIMEOUT_MS,
  });
  let shown = '';
  const open = [...answers];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    shown += text;
    const [next] = open;
    if (next === undefined || !next.asked.test(shown)) return;
    open.shift();
    child.stdin.write(next.typed);
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, shown: shown.replaceAll('\r\n', '\n') }));
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

const TIMEOUT_MS = 60_000;
