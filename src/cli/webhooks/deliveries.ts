// `doorward webhook deliveries ID`: what was delivered lately, and what came of it.

import type { Command } from 'commander';
import type { WebhookDelivery } from '../../wire/webhook.ts';
import { tableText } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { choiceOption, jsonOption } from '../option-parsers.ts';
import { everyPage } from '../pages.ts';
import { printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';
import { attemptResult } from './text.ts';

type Options = ConnectionOptions & { readonly state?: WebhookDelivery['state']; readonly json?: true };

export function addWebhookDeliveries(webhook: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(webhook, 'deliveries', [
      'doorward webhook deliveries whk_8k2m5p7r9t3w6y8a',
      'doorward webhook deliveries whk_8k2m5p7r9t3w6y8a --state failed',
    ])
      .description('list the last deliveries of a webhook: at most 100, of seven days')
      .argument('<id>', 'its id')
      .addOption(choiceOption('--state <state>', 'only deliveries in this state', STATES)),
  )
    .addOption(jsonOption())
    .action(async (id: string, { state, ...options }: Options) => {
      const { webhooks } = await connect(terminal, options);
      const items = await everyPage<WebhookDelivery>((page) => webhooks.deliveries(id, { ...page, state }));
      if (options.json) return printJson(terminal, { items, nextCursor: null });
      terminal.out(items.length === 0 ? 'No matching deliveries.\n' : deliveryTable(items, terminal));
    });
}

function deliveryTable(items: readonly WebhookDelivery[], terminal: Pick<Terminal, 'width'>): string {
  return tableText(
    [
      ['ID', 'EVENT', 'STATE', 'RESULT', 'ATTEMPT', 'DURATION', 'LAST ATTEMPT', 'NEXT'],
      ...items.map((each) => [
        each.id,
        each.kind,
        each.state,
        attemptResult(each),
        each.attempt === null ? 'by hand' : String(each.attempt),
        `${each.durationMs} ms`,
        minuteText(each.attemptedAt),
        each.nextAttemptAt === null ? '' : minuteText(each.nextAttemptAt),
      ]),
    ],
    terminal,
  );
}

const STATES = ['delivered', 'retrying', 'failed'] as const;
