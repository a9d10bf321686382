// `doorward whoami`: as whom commands call, with which credential, where, and until when.

import type { Command } from 'commander';
import type { CallerObject } from '../../wire/caller.ts';
import { alignedRows } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, type ConnectionOptions, openConnection } from './connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

export function addWhoami(program: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(program, 'whoami', ['doorward whoami', 'doorward whoami --json']).description(
      'show who you are logged in as, where, and what you may do',
    ),
  )
    .addOption(jsonOption())
    .action(async (options: ConnectionOptions & { readonly json?: true }) => {
      const { client, url } = await openConnection(terminal, options);
      const caller = await client.caller();
      const server = url.origin;
      if (options.json) printJson(terminal, { server, ...caller });
      else terminal.out(callerText(server, caller));
    });
}

function callerText(server: string, { account, member, apiKey, certificate, ...rest }: CallerObject): string {
  return alignedRows([
    ['server', server],
    ['account', account.name],
    ...(member === null ? [] : [['member', member.email]]),
    ...(apiKey === null ? [] : [['API key', apiKey.name]]),
    ...(certificate === null ? [] : [['certificate', certificate.name]]),
    ['role', rest.role],
    ['scope', rest.scope],
    ['expires', rest.expiresAt === null ? 'never' : minuteText(rest.expiresAt)],
  ]);
}
