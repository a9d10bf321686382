// What can be done to webhooks of the list: to one by the menu of its row, to several that are chosen.

import type { WebhookObject } from '../../../src/wire/webhook.ts';
import { client } from '../api/client.ts';
import type { Act } from '../parts/acts/act.ts';
import { titleOf } from './webhook-words.ts';

export const WEBHOOK_ACTS: readonly Act<WebhookObject>[] = [
  {
    label: 'Switch on',
    isFor: ({ enabled }) => !enabled,
    question: (webhooks) => `Switch on ${which(webhooks)}?`,
    about: 'Events from now on are delivered.',
    action: 'Switch on',
    done: (count) => `${counted(count)} on`,
    run: ({ id }) => client.webhooks.modify(id, { enabled: true }),
  },
  {
    label: 'Switch off',
    isFor: ({ enabled }) => enabled,
    question: (webhooks) => `Switch off ${which(webhooks)}?`,
    about: 'Nothing is delivered while a webhook is off, and pending deliveries are dropped.',
    action: 'Switch off',
    done: (count) => `${counted(count)} off`,
    run: ({ id }) => client.webhooks.modify(id, { enabled: false }),
  },
  {
    label: 'Delete',
    isDanger: true,
    question: (webhooks) => `Delete ${which(webhooks)}?`,
    about:
      'They receive no more events, pending deliveries are dropped, and their secrets are deleted. This cannot be undone.',
    action: 'Delete',
    done: (count) => (count === 1 ? 'The webhook was deleted' : `${count} webhooks were deleted`),
    run: ({ id }) => client.webhooks.remove(id),
  },
];

function which(webhooks: readonly WebhookObject[]): string {
  const [first] = webhooks;
  return webhooks.length === 1 && first !== undefined
    ? `the webhook ${titleOf(first)}`
    : `${webhooks.length} webhooks`;
}

function counted(count: number): string {
  return count === 1 ? '1 webhook is' : `${count} webhooks are`;
}
