// `doorward export`: the account's state as a file for `doorward apply`, without secrets.

import { writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { ServiceError } from '../../domain/service-error.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

type Options = ConnectionOptions & { readonly output?: string; readonly json?: true };

export function addExport(program: Command, terminal: Terminal): void {
  const command = newCommand(program, 'export', ['doorward export', 'doorward export -o state.yaml'])
    .description('write the state of the account as a file for apply: no secrets are in it')
    .addOption(onceOption('-o, --output <file>', 'write it to this file, not to standard output'));
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async ({ output, json, ...options }: Options) => {
      const state = await (await connect(terminal, options)).state.show();
      if (json) return printJson(terminal, state);
      const { stateText } = await import('../../config/state-text.ts');
      const text = stateText(state);
      if (output === undefined) return terminal.out(text);
      await write(output, text);
      terminal.err(`Wrote ${plain(output)}.\n`);
    });
}

/** Over what is there: it is kept where files have versions. Throws `usage`. */
async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text);
  } catch (cause) {
    const found = (cause as NodeJS.ErrnoException).code ?? 'an unknown error';
    throw new ServiceError('usage', `Cannot write ${file}: ${found}`, {
      cause,
      hint: 'Choose a file that you may write to.',
    });
  }
}
