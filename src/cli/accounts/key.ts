// `doorward account key NAME`: a fresh admin key for an account whose own are lost. It is the operator's: no
// member's, so it stays until it is deleted.

import type { Command } from 'commander';
import { actorText, OPERATOR } from '../../domain/actor.ts';
import { hashApiKey, newApiKey } from '../../domain/api-key.ts';
import { newId } from '../../domain/id.ts';
import { secretStart } from '../../domain/secret-start.ts';
import { alignedRows } from '../columns.ts';
import { newCommand } from '../command.ts';
import { configOption, jsonOption } from '../option-parsers.ts';
import { findAccount, recordedByOperator } from './operator-account.ts';
import { type ConfigOptions, withStore } from './operator-store.ts';
import { printJson, type Terminal } from '../terminal.ts';

export function addAccountKey(account: Command, terminal: Terminal): void {
  newCommand(account, 'key', ['doorward account key acme'])
    .description('create an admin API key for an account (shown only once)')
    .argument('<name>', 'the name of the account')
    .addOption(configOption())
    .addOption(jsonOption())
    .action((name: string, options: ConfigOptions & { readonly json?: true }) =>
      withStore(options, async (store) => {
        const found = await findAccount(store, name);
        const key = newApiKey();
        const id = newId('key');
        const keyName = `operator-${id.slice(-NAME_DIGITS)}`;
        const createdAt = Date.now();
        const made = {
          id,
          accountId: found.id,
          name: keyName,
          hash: hashApiKey(key),
          start: secretStart(key),
          createdAt,
          role: 'admin',
          scope: 'full',
          expiresAt: null,
          memberId: null,
          createdBy: actorText(OPERATOR),
        } as const;
        const fields = { name: keyName, start: made.start, role: made.role, scope: made.scope };
        const changes = { before: null, after: fields, secrets: ['key'] };
        await recordedByOperator(
          store,
          { account: found, kind: 'api_key.created', reason: keyName, at: createdAt, changes },
          () => store.apiKeys.create(made, null),
        );
        if (options.json)
          return printJson(terminal, { account: { id: found.id, name }, apiKey: key.reveal() });
        terminal.out(`${key.reveal()}\n`);
        terminal.err(
          `\n${alignedRows([
            ['account', name],
            ['key', keyName],
          ])}\nThis is the key, shown only once.\n`,
        );
      }),
    );
}

/** 40 random bits: no two keys of an account have the same. */
const NAME_DIGITS = 8;
