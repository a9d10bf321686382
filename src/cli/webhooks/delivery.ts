// `doorward webhook delivery DELIVERY`: what was sent, and what was answered each time.

import type { Command } from 'commander';
import type { WebhookAttempt, WebhookDeliveryDetail } from '../../wire/webhook.ts';
import { alignedRows } from '../columns.ts';
import { newCommand } from '../command.ts';
import { addConnectionOptions, connect, type ConnectionOptions } from '../login/connection.ts';
import { jsonOption } from '../option-parsers.ts';
import { plain, printJson, type Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';
import { attemptResult } from './text.ts';

export function addWebhookDelivery(webhook: Command, terminal: Terminal): void {
  addConnectionOptions(
    newCommand(webhook, 'delivery', ['doorward webhook delivery dlv_3n5q7r0t1s2x4v6b'])
      .description('show a delivery of a webhook: its payload, and the answers')
      .argument('<delivery>', 'its id'),
  )
    .addOption(jsonOption())
    .action(async (delivery: string, options: ConnectionOptions & { readonly json?: true }) => {
      const found = await (await connect(terminal, options)).webhooks.delivery(delivery);
      if (options.json) printJson(terminal, found);
      else terminal.out(deliveryText(found));
    });
}

function deliveryText(delivery: WebhookDeliveryDetail): string {
  const { id, kind, eventId, state, nextAttemptAt, payload, attempts } = delivery;
  const head = alignedRows([
    ['id', id],
    ['event', `${kind} ${eventId}`],
    ['state', state],
    ...(nextAttemptAt === null ? [] : [['next attempt', minuteText(nextAttemptAt)]]),
  ]);
  return [head, ...attempts.map(attemptText), `payload\n${indented(payload)}`].join('\n');
}

function attemptText(made: WebhookAttempt): string {
  const title = made.attempt === null ? 'by hand' : `attempt ${made.attempt}`;
  const line = `${title}  ${minuteText(made.attemptedAt)}  ${plain(made.origin)}  ${made.durationMs} ms  ${plain(attemptResult(made))}\n`;
  return made.answer ? `${line}${indented(made.answer)}` : line;
}

/** A receiver’s text: nothing of it can steer a terminal. */
function indented(text: string): string {
  return text
    .split(/\r?\n/)
    .map((line) => `  ${plain(line)}\n`)
    .join('');
}
