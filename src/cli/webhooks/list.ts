// `doorward webhook list`: whom the account has told of its audit events, and how that fares.

import type { Command } from 'commander';
import { WEBHOOK_ORDERS, type WebhookOrder, type SortName } from '../../domain/list-orders.ts';
import type { WebhookObject } from '../../wire/webhook.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { newCommand } from '../command.ts';
import { jsonOption, sortOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { webhookTable } from './text.ts';

type Options = ConnectionOptions & {
  readonly sort?: SortName<WebhookOrder>;
  readonly json?: true;
};

export function addWebhookList(webhook: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(webhook, 'list', ['doorward webhook list', 'doorward webhook list --sort name']).description(
      'list the webhooks of the account',
    ),
  )
    .addOption(sortOption(WEBHOOK_ORDERS))
    .addOption(jsonOption())
    .action(async ({ sort, ...options }: Options) => {
      const { webhooks } = await connect(terminal, options);
      const items = await everyPage<WebhookObject>((page) => webhooks.list({ ...page, sort }));
      if (options.json) return printJson(terminal, { items, nextCursor: null });
      terminal.out(items.length === 0 ? NOTHING_YET : webhookTable(items, terminal));
    });
}

const NOTHING_YET = `There are no webhooks yet. To create one:
  doorward webhook create https://hooks.example.com/doorward --kind login.refused
`;
