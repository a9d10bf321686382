// The question before what cannot be undone. It is asked of a person at a terminal alone: scripts go on as
// they were written.

import { type Command, Option } from 'commander';
import { ServiceError } from '../domain/service-error.ts';
import { plain, type Terminal } from './terminal.ts';

export type ConfirmOptions = { readonly yes?: true };

export function addYesOption(command: Command): Command {
  return command.addOption(new Option('-y, --yes', 'skip the confirmation on a terminal'));
}

/**
 * `question` says what will happen, such as `Delete the share wiki?`. Throws `cancelled` for any answer but
 * yes.
 */
export async function confirm(
  { ask = null }: Terminal,
  { yes }: ConfirmOptions,
  question: string,
): Promise<void> {
  if (yes || ask === null) return;
  const answer = await ask(`${plain(question)} [y/N] `);
  if (/^y(es)?$/i.test(answer)) return;
  throw new ServiceError('cancelled', 'Cannot continue without confirmation: nothing was changed', {
    hint: 'To skip the question, give --yes.',
  });
}
