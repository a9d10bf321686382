// Webhooks as people read them.

import type { WebhookDelivery, WebhookObject } from '../../wire/webhook.ts';
import { alignedRows, tableText } from '../columns.ts';
import type { Terminal } from '../terminal.ts';
import { minuteText } from '../time-text.ts';

export function webhookText(webhook: WebhookObject): string {
  return alignedRows([
    ['id', webhook.id],
    ['url', webhook.url],
    ...(webhook.name === null ? [] : [['name', webhook.name]]),
    ['kinds', webhook.kinds.join(', ') || 'all'],
    ['state', stateText(webhook)],
    ...(webhook.lastFailure === null ? [] : [['last error', webhook.lastFailure]]),
    ...timeRow('last delivered', webhook.lastDeliveredAt),
    ['waiting', String(webhook.waiting)],
    ...timeRow('secret rotated', webhook.secretRotatedAt),
    ...timeRow('previous secret until', webhook.formerSecretsUntil),
  ]);
}

export function webhookTable(webhooks: readonly WebhookObject[], terminal: Pick<Terminal, 'width'>): string {
  return tableText(
    [
      ['ID', 'NAME', 'URL', 'KINDS', 'STATE', 'WAITING'],
      ...webhooks.map((webhook) => [
        webhook.id,
        webhook.name ?? '',
        webhook.url,
        webhook.kinds.join(',') || 'all',
        stateText(webhook),
        String(webhook.waiting),
      ]),
    ],
    terminal,
  );
}

/** Of one attempt. */
export function attemptResult({ status, reason }: Pick<WebhookDelivery, 'status' | 'reason'>): string {
  if (status !== null) return String(status);
  return reason ?? '';
}

function timeRow(label: string, time: string | null): readonly (readonly string[])[] {
  return time === null ? [] : [[label, minuteText(time)]];
}

function stateText({ enabled, failingSince, lastFailure }: WebhookObject): string {
  if (!enabled) return lastFailure === null ? 'disabled' : `disabled: ${lastFailure}`;
  return failingSince === null ? 'enabled' : `failing since ${minuteText(failingSince)}`;
}
