// What the audit says of a change to a webhook. Of its address it says the origin alone, since many carry a
// secret in the path; of its own secret, that there is another.

import type { ChangeFields } from '../../domain/audit-change.ts';
import type { Webhook } from '../../store/webhooks/webhook.ts';
import type { ChangeNote } from '../change-note.ts';

type ToldWebhook = Pick<Webhook, 'id' | 'name' | 'url' | 'kinds' | 'enabled'>;

export function webhookCreated(webhook: ToldWebhook): ChangeNote {
  const changes = { before: null, after: webhookFields(webhook), secrets: ['secret'] };
  return { kind: 'webhook.created', reason: webhook.id, changes };
}

/** `what`: the settings that were given, in words. */
export function webhookModified(before: ToldWebhook, after: ToldWebhook, what: string): ChangeNote {
  const isElsewhere = before.url !== after.url;
  const changes = {
    before: webhookFields(before),
    after: webhookFields(after),
    secrets: isElsewhere ? ['url'] : [],
  };
  return { kind: 'webhook.modified', reason: `${after.id}: ${what}`, changes };
}

export function webhookSecretRotated({ id }: Pick<Webhook, 'id'>, overlap: string): ChangeNote {
  const changes = { before: {}, after: { overlap }, secrets: ['secret'] };
  return { kind: 'webhook.secret_rotated', reason: `${id}: overlap ${overlap}`, changes };
}

export function webhookDeleted(webhook: ToldWebhook): ChangeNote {
  return {
    kind: 'webhook.deleted',
    reason: webhook.id,
    changes: { before: webhookFields(webhook), after: null },
  };
}

function webhookFields({ name, url, kinds, enabled }: ToldWebhook): ChangeFields {
  return { name, url: originOf(url), kinds, enabled };
}

function originOf(url: string): string {
  const { origin, pathname, search } = new URL(url);
  return pathname === '/' && search === '' ? origin : `${origin}/…`;
}
