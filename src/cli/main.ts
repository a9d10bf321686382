// The command line (DESIGN 2.4): runs one command and answers its exit code. Answers go to standard output,
// all else to standard error.

import { reportFault } from './report-fault.ts';
import { createServeProgram } from './service/serve-command.ts';
import type { Terminal } from './terminal.ts';

/**
 * `words` are the arguments after the program's name. 0 done, 1 failed, 2 wrong usage or configuration, 4 not
 * allowed.
 */
export async function main(words: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode = 0;
  const exitWith = (code: number) => {
    exitCode = code;
  };
  try {
    const program =
      words[0] === 'serve'
        ? createServeProgram(terminal)
        : (await import('./program.ts')).createProgram(terminal, exitWith);
    await program.parseAsync(words, { from: 'user' });
    return exitCode;
  } catch (error) {
    return reportFault(terminal, error, words.includes('--json'));
  }
}
