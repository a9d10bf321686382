// `doorward session end`: one by its id, or all of a person, a share or a provider.

import { type Command, Option } from 'commander';
import type { Client } from '../../client/client.ts';
import type { SessionGroup } from '../../wire/session.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { newCommand } from '../command.ts';
import { addYesOption, confirm, type ConfirmOptions } from '../confirm.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';

type GroupOptions = {
  readonly email?: string;
  readonly share?: string;
  readonly provider?: string;
  readonly refused?: true;
};
type Options = ConnectionOptions & ConfirmOptions & GroupOptions & { readonly json?: true };

export function addSessionEnd(session: Command, terminal: Terminal): void {
  const command = newCommand(session, 'end', [
    'doorward session end ses_8k2m5p7r9t3w6y8a',
    'doorward session end --email ann@example.com --yes',
  ])
    .description('end one session, or all of a person, a share or a provider, including open streams')
    .argument('[id]', 'its id')
    .addOption(onceOption('--email <address>', 'all sessions of this person'))
    .addOption(onceOption('--share <name>', 'all sessions of this share: its name or id'))
    .addOption(onceOption('--provider <name>', 'all sessions of this provider'))
    .addOption(new Option('--refused', 'of `--share`: only those that its rules no longer let in'));
  addYesOption(addConnectionOptions(command))
    .addOption(jsonOption())
    .action(async (id: string | undefined, options: Options) => {
      const end = endingOf(id, options);
      const client = await connect(terminal, options);
      await confirm(terminal, options, `End ${whichOf(id, options)}?`);
      const ended = await end(client);
      if (options.json) return printJson(terminal, ended === null ? { ended: id } : { ended });
      if (ended === null) terminal.err(`Ended ${plain(id ?? '')}.\n`);
      else terminal.err(`Ended ${ended === 1 ? 'one session' : `${ended} sessions`}.\n`);
    });
}

function whichOf(id: string | undefined, { email, share, provider, refused }: GroupOptions): string {
  if (id !== undefined) return `the session ${id}`;
  if (email !== undefined) return `all sessions of ${email}`;
  if (refused === true) return `the sessions that the rules of the share ${share} no longer let in`;
  return share === undefined
    ? `all sessions of the provider ${provider}`
    : `all sessions of the share ${share}`;
}

/** Answers how many, and null for the one that was named. */
type Ending = (client: Client) => Promise<number | null>;

/** Throws `usage` unless exactly one thing is said. */
function endingOf(id: string | undefined, { email, share, provider, refused }: GroupOptions): Ending {
  const groups: SessionGroup[] = [];
  if (email !== undefined) groups.push({ email });
  if (share !== undefined) groups.push({ share, ...(refused === true ? { admission: 'refused' } : {}) });
  if (provider !== undefined) groups.push({ provider });
  const [group] = groups;
  if (refused === true && share === undefined)
    throw new ServiceError('usage', 'Cannot end sessions: --refused is of a share', {
      hint: 'Give --share, too.',
    });
  if (id !== undefined && group === undefined)
    return async ({ sessions }) => {
      await sessions.end(id);
      return null;
    };
  if (id === undefined && group !== undefined && groups.length === 1)
    return async ({ sessions }) => (await sessions.endAll(group)).ended;
  throw new ServiceError(
    'usage',
    'Cannot end sessions: give an id, or one of --email, --share and --provider',
    {
      hint: 'List them with "doorward session list".',
    },
  );
}
