// What the form of a webhook holds, and the webhook that it means.

import type { NewWebhookObject, WebhookChanges, WebhookObject } from '../../../src/wire/webhook.ts';
import { kindText } from '../parts/audit-text.ts';
import type { Fields } from '../parts/conflict.ts';

export type Draft = {
  readonly url: string;
  readonly name: string;
  readonly of: 'all' | 'some';
  readonly kinds: ReadonlySet<string>;
};

export const NOTHING: Draft = { url: '', name: '', of: 'all', kinds: new Set() };

export function draftOf({ url, name, kinds }: WebhookObject): Draft {
  return { url, name: name ?? '', of: kinds.length === 0 ? 'all' : 'some', kinds: new Set(kinds) };
}

/** Throws when no kind is chosen: none would mean all of them. */
export function newWebhook(draft: Draft): NewWebhookObject {
  requireKinds(draft);
  const { url, name, kinds } = settingsOf(draft);
  return { url, ...(name === null ? {} : { name }), ...(kinds.length === 0 ? {} : { kinds }) };
}

/** Throws as `newWebhook`. */
export function requireKinds({ of, kinds }: Draft): void {
  if (of === 'some' && kinds.size === 0) throw new Error('Choose at least one kind of event.');
}

/** What the form says otherwise than the webhook is; null when nothing. */
export function draftChanges(start: WebhookObject, draft: Draft): WebhookChanges | null {
  const [before, after] = [settingsOf(draftOf(start)), settingsOf(draft)];
  const changes: WebhookChanges = {
    ...(before.url === after.url ? {} : { url: after.url }),
    ...(before.name === after.name ? {} : { name: after.name }),
    ...(before.kinds.join() === after.kinds.join() && hasKinds(draft) ? {} : { kinds: after.kinds }),
  };
  return Object.keys(changes).length === 0 ? null : changes;
}

export function withDraftChanges(
  webhook: WebhookObject,
  { url = webhook.url, name = webhook.name, kinds = webhook.kinds }: WebhookChanges,
): WebhookObject {
  return { ...webhook, url, name, kinds };
}

/** A webhook field by field, in the words of the form. */
export function webhookFields({ url, name, kinds }: WebhookObject): Fields {
  const titles = kinds.map((kind) => kindText(kind).title).toSorted();
  return { Address: url, Name: name ?? '', Events: titles.join(', ') || 'everything' };
}

/** False while nothing is chosen to be told of, so that saving says so. */
function hasKinds({ of, kinds }: Draft): boolean {
  return of === 'all' || kinds.size > 0;
}

function settingsOf({ url, name, of, kinds }: Draft) {
  const trimmed = name.trim();
  return {
    url: url.trim(),
    name: trimmed === '' ? null : trimmed,
    kinds: of === 'all' ? [] : [...kinds].toSorted(),
  };
}
