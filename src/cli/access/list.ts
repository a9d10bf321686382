// `doorward access list`: who asked to be let in, where, and in which words.

import { type Command, Option } from 'commander';
import { ACCESS_REQUEST_STATES, type AccessRequestState } from '../../domain/access-request-state.ts';
import type { AccessRequestObject } from '../../wire/access-request.ts';
import { tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption, onceOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

type Options = ConnectionOptions & {
  readonly share?: string;
  readonly state: AccessRequestState;
  readonly json?: true;
};

export function addAccessList(access: Command, terminal: Terminal): void {
  const command = newCommand(access, 'list', [
    'doorward access list',
    'doorward access list --share wiki --state granted',
  ])
    .description('list requests for access, newest first')
    .addOption(onceOption('--share <name>', 'only for this share: its name or id'))
    .addOption(
      new Option('--state <state>', '`open` (default), `granted` or `dismissed`')
        .choices(ACCESS_REQUEST_STATES)
        .default('open' satisfies AccessRequestState),
    );
  addConnectionOptions(command)
    .addOption(jsonOption())
    .action(async ({ share, state, json, ...options }: Options) => {
      const { accessRequests } = await connect(terminal, options);
      const items = await everyPage<AccessRequestObject>((page) =>
        accessRequests.list({ share, state, ...page }),
      );
      if (json) return printJson(terminal, { items, nextCursor: null });
      terminal.out(items.length === 0 ? `No ${state} requests.\n` : requestTable(items, state, terminal));
    });
}

function requestTable(
  requests: readonly AccessRequestObject[],
  state: AccessRequestState,
  terminal: Pick<Terminal, 'width'>,
): string {
  return tableText(
    [
      ['WHO', 'SHARE', 'PROVIDER', 'ASKED', ...(state === 'granted' ? ['UNTIL'] : []), 'ID', 'MESSAGE'],
      ...requests.map(({ email, share, shareId, provider, lastAskedAt, grantedUntil, id, message }) => [
        email,
        share ?? shareId,
        provider,
        minuteText(lastAskedAt),
        ...(state === 'granted' ? [grantedUntil === null ? '' : minuteText(grantedUntil)] : []),
        id,
        message,
      ]),
    ],
    terminal,
  );
}
