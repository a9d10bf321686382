// The faults of a configuration file as people read them, one a line.

import { type ConfigFault, describeFault } from '../../config/config-fault.ts';
import { plain, type Terminal } from '../terminal.ts';

export function tellWarnings(terminal: Terminal, file: string, warnings: readonly ConfigFault[]): void {
  for (const each of warnings) terminal.err(`warning: ${plain(describeFault(file, each))}\n`);
}

export function tellFaults(terminal: Terminal, file: string, faults: readonly ConfigFault[]): void {
  if (faults.length === 0) return terminal.err(`${file}: no errors\n`);
  for (const fault of faults) terminal.err(`error: ${plain(describeFault(file, fault))}\n`);
  terminal.err(
    `hint: ${faults.length === 1 ? 'one error' : `${faults.length} faults`}. Nothing was started.\n`,
  );
}
