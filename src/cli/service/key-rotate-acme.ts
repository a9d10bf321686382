// `doorward key rotate-acme`: another key for the account at the ACME server, while the service runs. The
// gateway that orders tells the server.

import type { Command } from 'commander';
import { newId } from '../../domain/id.ts';
import { ServiceError } from '../../domain/service-error.ts';
import { type ConfigOptions, withStore } from '../accounts/operator-store.ts';
import { newCommand } from '../command.ts';
import { configOption } from '../option-parsers.ts';
import type { Terminal } from '../terminal.ts';

export function addKeyRotateAcme(key: Command, terminal: Terminal): void {
  newCommand(key, 'rotate-acme', ['doorward key rotate-acme --config /etc/doorward/doorward.yaml'])
    .description('replace the key of the account at the ACME server; certificates stay as they are')
    .addOption(configOption())
    .action((options: ConfigOptions) => rotate(options, terminal));
}

async function rotate(options: ConfigOptions, terminal: Terminal): Promise<void> {
  await withStore(options, async (store, { acme }) => {
    if (acme === null)
      throw new ServiceError(
        'usage',
        'Cannot replace the account key: the configuration has no section acme',
        {
          hint: 'Give --config the configuration of a service that gets its certificates itself.',
        },
      );
    const { newKey } = await import('../../acme/jws.ts');
    const holder = newId('gtw');
    if (!(await store.acme.takeLease(holder, HOLD_MS)))
      throw new ServiceError('usage', 'Cannot replace the account key: a gateway orders certificates now', {
        hint: 'Try again in a minute.',
      });
    try {
      const { id, nextKey } = await store.acme.account(acme.directory, newKey(), Date.now());
      // One that was begun and not finished is finished first.
      if (nextKey === null) await store.acme.setNextKey(holder, id, newKey());
    } finally {
      await store.acme.releaseLease(holder);
    }
  });
  terminal.err('The running service replaces the key within a minute; the log says when it did.\n');
}

const HOLD_MS = 10_000;
